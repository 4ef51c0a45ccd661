"""Checks of a database's address before a process uses it.

pooler  whether an address is a PgBouncer, and whether statements can go through it
budget  how many connections a process needs, and whether PostgreSQL allows them
"""
