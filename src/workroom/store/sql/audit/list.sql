-- A page of the audit log, newest first. The total is there even for an empty page.
SELECT counted.total, page.* FROM (SELECT count(*) AS total FROM audit_log) AS counted
LEFT JOIN (
    SELECT audit_log.id, audit_log.at, audit_log.actor, account.name, audit_log.action, audit_log.subject, audit_log.detail
    FROM audit_log LEFT JOIN account ON account.id = audit_log.actor
    ORDER BY audit_log.id DESC LIMIT %(limit)s OFFSET %(offset)s
) AS page ON true
ORDER BY page.id DESC
