"""The commands, one module each.

admin      `workroom admin`: accounts, the audit log, all queues
config     `workroom config`: settings, with the origin of each value
db         `workroom db`: upgrade, check and describe the database
doctor     `workroom doctor`: checks of this machine, its database and its server
jobs       `workroom jobs`: list, show, watch, cancel, retry, logs; `workroom run`
login      `workroom login`, `logout`, `whoami`: a login that is kept for each server; `workroom token`: API tokens
open       `workroom FILE…`: opens files in a room
pool       `workroom pool`: processes that run posted functions or built-in extensions
post       `workroom post`: posts one function call for each line of a file
postings   `workroom postings`: list, show, watch, pause, resume, cancel, retry
profiles   `workroom profiles`: profiles of posted functions
rooms      `workroom rooms`: list, show, create, delete, lock, duplicate
serve      `workroom serve`: the server
worker     `workroom worker`: runs a worker for extensions and functions
workers    `workroom workers`: list, show, drain, remove
"""
