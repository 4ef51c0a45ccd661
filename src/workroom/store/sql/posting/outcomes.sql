-- Outcomes of the jobs of a posting, in order, from an id on: up to a number of rows and bytes. A compressed value counts with
-- its decoded size. Only the first compressed ones are decoded for that.
SELECT id, state::text, result, error, nth < whole OR whole = %(limit)s FROM (
    SELECT numbered.*,
           sum(CASE WHEN compressed THEN octet_length(coalesce(result::text, '')) + octet_length(coalesce(error::text, ''))
                    ELSE coalesce(pg_column_size(result), 0) + coalesce(pg_column_size(error), 0) END
           ) OVER (ORDER BY id) AS bytes
    FROM (
        SELECT page.*, count(*) OVER () AS whole, row_number() OVER (ORDER BY id) AS nth,
               count(*) FILTER (WHERE compressed) OVER (ORDER BY id) AS compressed_ones
        FROM (
            SELECT id, state, result, error,
                   coalesce(pg_column_compression(result), pg_column_compression(error)) IS NOT NULL AS compressed
            FROM job
            WHERE id BETWEEN %(first)s AND %(last)s AND posting_id = %(posting_id)s
            ORDER BY id LIMIT %(limit)s
        ) AS page
    ) AS numbered
    WHERE compressed_ones <= 100
) AS job
WHERE bytes <= %(bytes)s OR nth = 1
ORDER BY id
