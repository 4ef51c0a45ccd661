"""Actions on postings after they are posted.

postings  read, pause, resume, cancel, retry failed jobs
"""
