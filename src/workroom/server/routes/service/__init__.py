"""Routes about the server itself.

docs    the API documentation: the explorer, or a page rendered from the OpenAPI document
health  liveness, readiness and Prometheus metrics
manual  the documentation, as a built site
webapp  the files of the web app
"""
