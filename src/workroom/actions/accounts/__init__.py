"""Actions on accounts.

accounts    create, update and authenticate accounts; passwords and tokens
audit       record and list what admins and owners did
retention   delete idle guests and old audit rows
"""
