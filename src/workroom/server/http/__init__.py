"""What all routes share between ASGI and FastAPI.

allowed_hosts    middleware: refuses requests for other host names
body_limit       middleware: limits the size of request bodies, and how slowly they arrive
body_stream      reads a body in chunks
static_files     the files of a build, as they are: the web app, the documentation
openapi_errors   the problem documents that a route lists in the OpenAPI document
ndjson_request   reads a long body of JSON lines to a temporary file
paging           query parameters and response of paged lists
error_handlers   exception handlers: errors as RFC 9457 problem documents
request_metrics  middleware: measures and logs requests, adds security headers
peer_before_proxy  middleware: the other end of a connection, whatever headers say
root_path        middleware: a server below a path of a proxy
strict_json      routers whose routes parse JSON bodies strictly
slow_reader_timeout  uvicorn's protocol, which also closes connections whose client does not read its response
"""
