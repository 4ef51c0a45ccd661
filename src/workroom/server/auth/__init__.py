"""Authentication and authorisation.

access         loads the principal of a token, and authorises it in a room (`authorize`)
access_cache   room access that was authorised within the last second
bearer         FastAPI dependencies: the bearer token of a request, by kind
bootstrap      secrets and the first admin, created at the first start
passwords      hashing and checking of passwords
rate_limit     sliding-window rate limiter
tokens         issues and verifies signed tokens
write_context  FastAPI dependency: the author, job and lock of a write
"""
