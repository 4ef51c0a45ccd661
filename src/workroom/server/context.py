"""The objects that routes and socket handlers of one running server share."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, cast

from fastapi import Depends
from starlette.requests import HTTPConnection

from workroom.actions.engine import Engine
from workroom.server.auth.access_cache import AccessCache
from workroom.server.auth.api_tokens.reader import ApiTokenReader
from workroom.server.auth.login_limits import LoginLimits
from workroom.server.auth.oidc import OidcProvider
from workroom.server.auth.rate_limit import RateLimiter
from workroom.server.auth.tokens import TokenIssuer
from workroom.server.builtin_names import BuiltinNames
from workroom.server.dispatch.extension_cache import ExtensionCache
from workroom.server.dispatch.report_batcher import ReportBatcher
from workroom.server.dispatch.submit_batcher import SubmitBatcher
from workroom.server.metrics.page import MetricsPage
from workroom.server.realtime.choices_requests import ChoicesRequests
from workroom.server.realtime.posting_rate import PostingRates
from workroom.server.realtime.presence import PresenceTracker
from workroom.server.settings import Settings

# A worker that is registered already changes its offers with each extension that its program registers.
NEW_WORKER_COST = 20


@dataclass
class ServerContext:
    settings: Settings
    engine: Engine
    tokens: TokenIssuer
    presence: PresenceTracker
    builtin_names: BuiltinNames | None = None  # none: this server starts no pool
    provider: OidcProvider | None = field(init=False)  # none: the settings name no provider
    choices: ChoicesRequests = field(init=False)  # set with the sockets
    metrics: MetricsPage = field(init=False)  # set when everything that it shows is there
    login_limits: LoginLimits = field(init=False)
    api_tokens: ApiTokenReader = field(init=False)
    extension_cache: ExtensionCache = field(init=False)
    report_batcher: ReportBatcher = field(init=False)
    submit_batcher: SubmitBatcher = field(init=False)
    access_cache: AccessCache = field(default_factory=AccessCache)
    posting_rates: PostingRates = field(default_factory=PostingRates)
    registration_limit: RateLimiter = field(init=False)
    submission_limit: RateLimiter = field(init=False)
    chat_limit: RateLimiter = field(init=False)
    token_limit: RateLimiter = field(init=False)

    def __post_init__(self) -> None:
        self.extension_cache = ExtensionCache(self.engine)
        self.report_batcher = ReportBatcher(self.engine)
        self.submit_batcher = SubmitBatcher(self.engine)
        self.provider = OidcProvider(self.settings) if self.settings.oidc_issuer else None
        self.login_limits = LoginLimits(self.settings)
        self.api_tokens = ApiTokenReader(self.engine, self.login_limits)
        self.registration_limit = RateLimiter(self.settings.registrations_per_minute * NEW_WORKER_COST, 60.0)
        self.submission_limit = RateLimiter(self.settings.submissions_per_minute, 60.0)
        self.token_limit = RateLimiter(self.settings.logins_per_minute, 60.0, what="Too many new API tokens")
        per_minute = self.settings.chat_per_minute
        self.chat_limit = RateLimiter(
            per_minute, 60.0, what=f"More than {per_minute} chat messages a minute (setting `chat_per_minute`)"
        )


async def get_context(connection: HTTPConnection) -> ServerContext:
    return cast(ServerContext, connection.app.state.context)


Context = Annotated[ServerContext, Depends(get_context)]
