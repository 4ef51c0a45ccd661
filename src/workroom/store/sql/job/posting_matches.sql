-- Whether a posting may have jobs that match these filters. If none has, the list reads only single jobs. Only some postings are compared;
-- with more of them the answer is yes.
WITH compared AS MATERIALIZED (
    SELECT posting.extension_id, posting.submitter FROM posting
    WHERE true
      AND posting.room = %(room)s --? room
      AND posting.id < %(until)s --? until
    LIMIT %(bound)s
)
SELECT (SELECT count(*) FROM compared) = %(bound)s OR EXISTS (
    SELECT FROM compared AS posting
    JOIN extension ON extension.id = posting.extension_id
    WHERE true
      AND extension.category = %(category)s --? category
      AND extension.name = %(name)s --? name
      AND strpos(lower(extension.category || '/' || extension.name), lower(%(search)s)) > 0 --? search
      AND posting.submitter IN (SELECT account.id FROM account WHERE strpos(lower(account.name), lower(%(user)s)) > 0) --? user
)
