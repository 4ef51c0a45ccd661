-- Failed jobs of a posting, optionally those with one error, with their arguments, in order, from an id on: up to a number of rows and bytes. A compressed value
-- counts with its decoded size. Only the first compressed ones are decoded for that.
SELECT id, attempt, arguments, error FROM (
    SELECT numbered.*,
           sum(CASE WHEN compressed THEN octet_length(arguments::text) + octet_length(error::text)
                    ELSE pg_column_size(arguments) + pg_column_size(error) END) OVER (ORDER BY id) AS bytes
    FROM (
        SELECT page.*, row_number() OVER (ORDER BY id) AS nth,
               count(*) FILTER (WHERE compressed) OVER (ORDER BY id) AS compressed_ones
        FROM (
            SELECT id, attempt, arguments, error,
                   coalesce(pg_column_compression(arguments), pg_column_compression(error)) IS NOT NULL AS compressed
            FROM job
            WHERE id BETWEEN %(first)s AND %(last)s AND posting_id = %(posting_id)s AND state = 'failed'
              AND coalesce(error ->> 'type', 'Error') = %(error_type)s --? error_type
              AND coalesce(error ->> 'place', '') = %(error_place)s --? error_place
            ORDER BY id LIMIT %(limit)s
        ) AS page
    ) AS numbered
    WHERE compressed_ones <= 100
) AS job
WHERE bytes <= %(bytes)s OR nth = 1
ORDER BY id
