"""Authentication and authorisation.

access         loads the principal of a token, and authorises it in a room (`authorize`)
access_cache   room access that was authorised within the last second
admin_audit    audit rows for what admins do to things of others
api_tokens/    API tokens: looked up, and limited by their scopes
bearer         FastAPI dependencies: the bearer token of a request, by kind
bootstrap      secrets and the first admin, created at the first start
password_hash_queue  runs password hashes in few threads, fairly between addresses
job_access     authorises access to a job, a posting or a worker (`load_visible_job`, …)
login_limits   limits of sign-ins, for names and addresses
oidc           the OpenID Connect provider of the settings
passwords      hashing and checking of passwords
rate_limit     sliding-window rate limiter of fixed size
sign_in_record log, metrics and audit rows of sign-ins
tokens         issues and verifies signed tokens
trusted_header sign-in by a header of a proxy
write_context  FastAPI dependency: the author, job and lock of a write
"""
