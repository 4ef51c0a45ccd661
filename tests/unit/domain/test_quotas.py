"""Which limits an account and a room have, and what an error about them says."""

from __future__ import annotations

import pytest

from workroom.domain.errors import QuotaExceeded, StorageQuotaExceeded
from workroom.domain.quotas import ACCOUNT_QUOTAS, ROOM_QUOTAS, QuotaDefaults, Usage
from workroom.server.settings import Settings

DEFAULTS = QuotaDefaults(account=dict.fromkeys(ACCOUNT_QUOTAS, 100), room={"bytes": 10}, guest_percent=5)


def test_a_guest_has_a_share_an_admin_no_limit_and_an_own_limit_comes_first() -> None:
    assert DEFAULTS.of_account("user", {})["rooms"] == 100
    assert DEFAULTS.of_account("guest", {})["rooms"] == 5
    assert DEFAULTS.of_account("admin", {}) == dict.fromkeys(ACCOUNT_QUOTAS)
    assert DEFAULTS.of_account("admin", {"rooms": 0})["rooms"] == 0
    assert DEFAULTS.of_account("guest", {"rooms": 7})["rooms"] == 7
    assert DEFAULTS.of_room({"frames": 3}) == dict.fromkeys(ROOM_QUOTAS) | {"bytes": 10, "frames": 3}
    assert QuotaDefaults().of_account("user", {}) == dict.fromkeys(ACCOUNT_QUOTAS)


def test_every_quota_has_a_default_in_the_settings() -> None:
    quotas = Settings.model_validate({}).quotas
    assert set(quotas.account) == set(ACCOUNT_QUOTAS)
    assert set(quotas.room) == set(ROOM_QUOTAS)


def test_a_quota_can_be_used_up_but_not_exceeded_and_the_error_names_the_fix() -> None:
    account = Usage("account", "ada", {"rooms": 3, "bytes": 0}, {"rooms": 5, "bytes": None})
    account.check("rooms", 2)
    account.check("bytes", 10**18)
    with pytest.raises(QuotaExceeded, match=r"`rooms` of account ada is 5 .*set-quota ada rooms VALUE`"):
        account.check("rooms", 3)
    room = Usage("room", "lab", {"frames": 1_000}, {"frames": 1_000})
    with pytest.raises(StorageQuotaExceeded, match="set-quota --room lab frames") as caught:
        room.check("frames", 1)
    assert caught.value.detail == {"quota": "frames", "subject": "room", "limit": 1_000, "used": 1_000, "requested": 1}
    assert (caught.value.status, QuotaExceeded.status) == (507, 429)
