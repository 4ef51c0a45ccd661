-- Outcomes of the jobs of a posting, in order, from an id on: up to a number of rows and bytes.
SELECT id, state::text, result, error, nth < whole OR whole = %(limit)s FROM (
    SELECT page.*, count(*) OVER () AS whole, row_number() OVER (ORDER BY id) AS nth,
           sum(coalesce(pg_column_size(result), 0) + coalesce(pg_column_size(error), 0)) OVER (ORDER BY id) AS bytes
    FROM (
        SELECT id, state, result, error FROM job
        WHERE id BETWEEN %(first)s AND %(last)s AND posting_id = %(posting_id)s
        ORDER BY id LIMIT %(limit)s
    ) AS page
) AS job
WHERE bytes <= %(bytes)s OR nth = 1
ORDER BY id
