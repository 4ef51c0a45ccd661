-- The rooms of postings.
SELECT posting.id, posting.room FROM posting WHERE posting.id = ANY (%(ids)s::uuid[])
