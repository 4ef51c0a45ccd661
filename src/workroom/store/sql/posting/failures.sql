-- Failed jobs of a posting with their arguments, in order, from an id on: up to a number of rows and bytes.
SELECT id, attempt, arguments, error FROM (
    SELECT page.*, row_number() OVER (ORDER BY id) AS nth,
           sum(pg_column_size(arguments) + pg_column_size(error)) OVER (ORDER BY id) AS bytes
    FROM (
        SELECT id, attempt, arguments, error FROM job
        WHERE id BETWEEN %(first)s AND %(last)s AND posting_id = %(posting_id)s AND state = 'failed'
        ORDER BY id LIMIT %(limit)s
    ) AS page
) AS job
WHERE bytes <= %(bytes)s OR nth = 1
ORDER BY id
