"""REST, one file a noun: each route parses, authorises, calls one action and answers."""
