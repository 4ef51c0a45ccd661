-- Delete an account that no job, posting or worker refers to. What it made in rooms stays, without an author.
DELETE FROM account
WHERE id = %(id)s
  AND NOT EXISTS (SELECT FROM job WHERE job.submitter = account.id)
  AND NOT EXISTS (SELECT FROM posting WHERE posting.submitter = account.id)
  AND NOT EXISTS (SELECT FROM worker WHERE worker.account_id = account.id)
RETURNING id
