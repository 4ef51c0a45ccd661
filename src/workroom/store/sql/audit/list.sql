-- What was done, newest first, a page of it; the total is there even when the page is empty.
SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM audit) AS counted
LEFT JOIN (
    SELECT audit.id, audit.at, audit.actor, account.name, audit.act, audit.subject, audit.detail
    FROM audit LEFT JOIN account ON account.id = audit.actor
    ORDER BY audit.id DESC LIMIT %(limit)s OFFSET %(offset)s
) AS page ON true
ORDER BY page.id DESC
