"""For admins."""

from __future__ import annotations

from workroom.actions.audit import audit
from workroom.server.documented import documented
from workroom.server.doorman import Admin
from workroom.server.house import AtHome
from workroom.server.paging import Limit, Offset, page_of
from workroom.server.strict import routes
from workroom.wire.accounts import AuditEntry
from workroom.wire.base import Page

router = routes("/api/admin", tag="admin")


@router.get("/audit", summary="What was done by whom, newest first", responses=documented(403))
async def entries(house: AtHome, visitor: Admin, limit: Limit = 50, offset: Offset = 0) -> Page[AuditEntry]:
    found = await audit(house.engine, limit=limit, offset=offset)
    return page_of(found, AuditEntry.model_validate, limit=limit, offset=offset)
