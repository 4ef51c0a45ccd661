"""Routes about the server itself.

docs    the API documentation, rendered from the OpenAPI document
health  liveness, readiness and Prometheus metrics
webapp  the files of the web app
"""
