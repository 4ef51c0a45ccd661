"""Routes about the server itself.

api_docs   the API documentation: the explorer, or a page rendered from the OpenAPI document
docs_site  the documentation, as a built site
health     liveness, readiness and Prometheus metrics
webapp     the files of the web app
"""
