"""How messages of Socket.IO are read and written.

support                   whether the fast transport can be used
fast_websocket_transport  a faster WebSocket transport; the only module that uses internals of a library
socket_json               orjson as the JSON codec of Socket.IO
"""
