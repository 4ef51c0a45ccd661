"""API tokens of requests and sockets.

reader  looks them up in the database
scopes  the scopes that each route and event accepts
"""
