"""A server behind a proxy that serves it below a path."""

from __future__ import annotations

import re
from collections.abc import Generator
from pathlib import Path

import httpx2
import pytest
from tests.acceptance.live import LiveServer
from tests.acceptance.server.deploy.proxies import PATH, PROXIES, SUB_PATH

from workroom import BadInput, Category, Extension, Room
from workroom.server.settings import load


class Double(Extension):
    category = Category.MODIFIER
    n: int = 1

    def run(self, vis: Room, **kwargs: object) -> int:
        return 2 * self.n


@pytest.fixture(scope="module")
def rooted() -> Generator[LiveServer]:
    live = LiveServer(WORKROOM_ROOT_PATH=PATH).start()
    yield live
    live.remove()


@pytest.mark.parametrize("proxy", PROXIES)
def test_pages_requests_sockets_and_workers_work_below_a_path_of_a_proxy(
    proxy: str, rooted: LiveServer, tmp_path: Path, name: str
) -> None:
    with PROXIES[proxy](SUB_PATH[proxy], tmp_path, rooted) as running:
        with httpx2.Client(base_url=running.url, trust_env=False, timeout=30) as http:
            without_slash = http.get(PATH)
            assert (without_slash.is_redirect, without_slash.headers["location"]) == (True, f"{PATH}/")
            ready = http.get(f"{PATH}/readyz")
            assert ready.status_code == 200
            for other in ("/readyz", f"{PATH}-else/readyz"):
                assert http.get(other).text != ready.text, "other paths are those of other pages"
        url = f"{running.url}{PATH}"
        with Room(name, url, "ada") as offering, Room(name, url, "bob") as room:
            offering.register_extension(Double)
            assert room.run("modifiers/Double", n=21).result(20) == 42


@pytest.mark.parametrize("path", ["/", "/rooms/deep/inside"])
@pytest.mark.parametrize("kept", [True, False], ids=["the proxy keeps the path", "the proxy removes it"])
def test_a_page_of_the_app_names_its_files_below_the_path(rooted: LiveServer, path: str, kept: bool) -> None:
    with httpx2.Client(base_url=rooted.url, trust_env=False, timeout=30) as http:
        page = http.get(f"{PATH if kept else ''}{path}")
        if page.status_code == 503:
            pytest.skip("the web app was not built: `make web`")
        assert f'name="workroom-root" content="{PATH}"' in page.text
        named = re.findall(r'(?:src|href)="([^"]+)"', page.text)
        assert len(named) > 2
        for address in named:
            assert address.startswith(f"{PATH}/"), address
            assert http.get(address if kept else address.removeprefix(PATH)).status_code == 200, address


def test_clients_and_workers_use_the_url_with_the_path(rooted: LiveServer, name: str) -> None:
    url = f"{rooted.url}{PATH}"
    with Room(name, url, "ada") as offering, Room(name, url, "bob") as room:
        offering.register_extension(Double)
        assert room.run("modifiers/Double", n=4).result(20) == 8


@pytest.mark.parametrize("wrong", ["workroom", "/workroom/", "/a//b", '/"onload="', "/a b"])
def test_a_path_that_is_none_is_refused(wrong: str) -> None:
    with pytest.raises(BadInput, match="root_path"):
        load({"root_path": wrong}, Path("/nowhere"))
