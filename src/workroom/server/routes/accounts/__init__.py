"""Routes about accounts.

admin   audit log, queues and settings, for admins
login   sign in, renew a token, sign out
quotas  usage and limits of accounts and rooms
users   create, list, change and disable accounts; passwords
"""
