-- Filters on the profiles of one function.
WHERE extension.name = %(name)s AND extension.scope = 'function'
  AND profile.submitter = %(submitter)s --? submitter
  AND profile.recorded_at >= %(since)s --? since
  AND profile.recorded_at < %(until)s --? until
  AND profile.posting_id = %(posting_id)s --? posting_id
  AND profile.code_version = %(code_version)s --? code_version
  AND profile.machine = %(machine)s --? machine
