-- Lock an account that is about to register a worker: it is neither disabled nor signed out until the transaction ends.
SELECT id FROM account WHERE id = %(id)s FOR SHARE
