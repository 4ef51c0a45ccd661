"""The messages that servers and clients exchange: camelCase outside, snake_case inside.

Requests refuse fields they do not know, so that a typing error is told and not ignored; answers may grow new fields.
"""
