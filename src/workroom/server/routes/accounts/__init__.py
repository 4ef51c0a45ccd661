"""Routes about accounts.

admin   audit log, queues and settings, for admins
api_tokens  long-lived tokens of the caller for programs
external_login  ways to sign in, and sign-in by a header of a proxy
login   sign in, renew a token, sign out
oidc    sign-in at an OpenID Connect provider
quotas  usage and limits of accounts and rooms
users   create, list, change and disable accounts; passwords
"""
