"""REST and Socket.IO in front of the actions.

Routes and socket handlers parse, authorise, call one action and answer. They hold no state of their own: the database
has the state, and a socket message only says what to fetch again.

    app            builds the ASGI application and its background services
    context        the objects that routes and socket handlers share
    settings       all settings: flags, environment variables, TOML file
    sign_in_settings  the settings of sign-in by others and of TLS
    builtin_names  the names of the built-in extensions, which are reserved
    listen_sockets  the sockets of a server process
    tls_certificate  the check of its certificate
    background_service  the life cycle of background services
    print_openapi  the OpenAPI document
    auth/          tokens, passwords, authorisation, rate limits
    dispatch/      batching and caching between routes and job actions
    files/         uploads and conversion of files
    http/          request bodies, errors, paging
    metrics/       metrics in the format of Prometheus
    realtime/      Socket.IO: handlers and publishing of events
    replicas/      several servers on one database
    routes/        REST, one module for each noun
    serializers/   rows and events to response models
    static/        the built web app
    docs_site/     the built documentation
"""
