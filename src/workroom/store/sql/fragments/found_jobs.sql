-- The filters of a list of jobs that an index answers.
      AND job.room = %(room)s --? room
      AND job.id BETWEEN %(first)s AND %(last)s AND job.posting_id = %(posting_id)s --? posting_id
      AND job.submitter = %(submitter)s AND job.posting_id IS NULL --? submitter
      AND job.posting_id IS NULL --? single
      AND job.state = 'failed' --? failed
      AND job.id = ANY (%(ids)s::uuid[]) --? ids
      AND job.id >= %(since)s --? since
      AND job.id < %(until)s --? until
      AND job.id < %(before)s --? before
      AND job.id > %(after)s --? after
