"""Connections of the client to a server.

brokered_connections  connections that the parent opens for a process without sockets of its own
guest_key      the secret that lets a guest sign in again
brokered_http  an HTTP transport over those connections
login_tokens   login and renewal of tokens
compare_versions  how well a client fits a server, by their versions
event_stream   events of joined rooms, over a connection that is restored when it breaks
http           `ApiClient`: authenticated HTTP requests with retries, uploads and downloads
problems       problem+json documents and socket acknowledgements as the errors they stand for
check_server_version  compares the version that the server tells with this one
saved_logins   the logins that `workroom login` keeps, one for each server
socket         a Socket.IO connection, which is opened again after it broke
socketio_connection  the protocol of one connection, over a WebSocket
"""
