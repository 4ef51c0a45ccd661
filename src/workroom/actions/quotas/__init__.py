"""Actions on quotas.

admission    checks quotas before something is stored or queued
limits       read the usage and the limits of accounts and rooms, and set limits
usage_cache  copies of the usage that one engine keeps
"""
