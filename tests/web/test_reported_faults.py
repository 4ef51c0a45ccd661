"""Every fault and every friction that people who tried the web app reported has a scenario, or a test of another kind.

Each line says what was reported, and names the tests that would fail if it came back.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from workroom.cli.demo.sample_room import WELCOME_MESSAGE

ROOT = Path(__file__).parents[2]

REPORTED: dict[str, list[str]] = {
    # Faults that blocked people, or did something else than they showed.
    "Run did nothing when a remembered value's field no longer existed": ["forms: a form submits what it shows"],
    "a field of atom indices showed one text and submitted another": ["forms: a form submits what it shows"],
    "the link to a job in messages and changes led to no page": [
        "jobs: a failed job shows its traceback",
        "changes: what a job did is undone from its page",
    ],
    "a state in the address that is no list crashed the page of jobs": ["jobs: a failed job shows its traceback"],
    "a file dropped onto a room did nothing": ["navigation: a file dropped on the page becomes a room that plays"],
    "browsers that follow each other showed different frames": ["sync: browsers that follow each other never part"],
    "a pool did not survive a restart of its server": [
        "tests/faults/pools/test_pool_beside_server.py: "
        "test_calls_go_on_within_five_seconds_after_each_restart_of_the_server"
    ],
    "the trajectory of the demo stood still after some seconds": [
        "navigation: the link of the demo signs in, plays",
        "tests/acceptance/server/cli/test_demo.py: "
        "test_the_demo_shows_no_token_and_leaves_nothing_when_a_signal_ends_it",
    ],
    "a signal to the demo left its processes running": [
        "tests/acceptance/server/cli/test_demo.py: "
        "test_the_demo_shows_no_token_and_leaves_nothing_when_a_signal_ends_it"
    ],
    "measurements ignored periodic images": ["viewer: atoms are chosen by clicks and boxes, measured, and shared"],
    "signing out left other tabs signed in": ["accounts: signing out ends the session in all tabs"],
    "a dictionary could not be filled in a form": ["forms: a form submits what it shows"],
    "a secret was stored, and its default sent as asterisks": ["forms: a form submits what it shows, stores no secret"],
    # Errors in the console, failed requests, wrong numbers.
    "a schema that changed under an open form made an uncaught error": [
        "forms: a form submits what it shows, stores no secret, and keeps its values when the schema changes"
    ],
    "a private or missing room was asked for three times": ["navigation: an address without a page says so"],
    "the address of a job that cannot exist showed a validation error": [
        "navigation: an address without a page says so"
    ],
    "a guest saw the page of admins around a refusal": ["navigation: an address without a page says so"],
    "an unknown state in the address made a refused request": ["navigation: an address without a page says so"],
    "a retry of many jobs made a request for each, unconfirmed": [
        "jobs: all jobs that match are retried with one request"
    ],
    "the panel of a long queue left out its head and one's own job": [
        "jobs: a long queue shows its head and one's own job"
    ],
    "an old posting stood above new jobs": ["jobs: all jobs that match are retried with one request"],
    "paused and cancelled postings told a rate": ["postings: a posting is paused and resumed"],
    "a file that cannot be read left an empty room": [
        "navigation: a file dropped on the page becomes a room that plays",
        "tests/acceptance/server/cli/test_cli.py: test_a_file_that_cannot_be_read_leaves_no_room_behind",
    ],
    "atoms without a position were left out without a word": ["structures: bonds, polyhedra, fixed atoms and missing"],
    "the range of a sweep began far from the bound of its field": ["forms: the range of a sweep begins and ends near"],
    "the welcome named a button that has another name": [
        "tests/web/test_reported_faults.py: test_the_welcome_names_buttons_that_the_app_has",
        "navigation: the link of the demo signs in, plays",
    ],
    "the tab of a panel just opened was outside of the strip": ["layout: the viewer has most of the page"],
    "the label of a JSON field was monospaced and its text was not": ["forms: a form submits what it shows"],
    "frame numbers of more than three digits were clipped": ["frames: a long trajectory is counted"],
    "the tools of a plot were a dark slab on a light page": [
        "frames: a long trajectory is counted, downloaded, plotted"
    ],
    "tooltips stayed over the menu of their button": ["layout: a menu that opens hides the tooltip of its button"],
    "a user was told of being in step with their own job": ["sync: two browsers are in step"],
    "the command line counted 1 frames, and named a flag without its dashes": [
        "tests/acceptance/server/cli/test_cli.py: test_a_file_that_cannot_be_read_leaves_no_room",
        "tests/acceptance/server/cli/test_cli.py: test_a_file_that_cannot_be_read_leaves_no_room_behind",
    ],
    "an error stood above a form that was shown, while the server was away": [
        "navigation: the page says when the server is out of reach"
    ],
    "buttons lay on top of each other on a phone": ["layout: on a phone one panel is shown at a time"],
    # What was laborious.
    "why a job failed was not at hand": [
        "jobs: a failed job shows its traceback",
        "navigation: a file dropped on the page becomes a room that plays",
    ],
    "what a job gave was not at hand": ["changes: beside Run a form shows its job, the new frames and undo"],
    "the viewer was the smallest panel": ["layout: the viewer has most of the page"],
    "the camera did not follow a changed structure": ["scene: the camera is fitted to a structure of another size"],
    "failures of one person closed an extension to everybody": [
        "tests/actions/jobs/test_breaker.py: test_many_inputs_of_one_person_open_it_until_another_person_waits",
        "jobs: workers show their throughput, and admins adjust their queues",
    ],
    "the first minutes of the demo told nobody what to do": ["navigation: the link of the demo signs in, plays"],
    "new messages and ended jobs in a background tab had no sign": [
        "layout: the viewer has most of the page, and a tab counts what is new",
        "navigation: the title of a hidden tab counts own jobs that ended and messages",
    ],
    "thousands of jobs looked alike and could not be searched": [
        "jobs: a failed job shows its traceback",
        "manyjobs: a million jobs are filtered, searched and sorted",
        "load: a room with 1,000 jobs and 100 extensions stays quick",
    ],
    "the results of a sweep had no parameters, plot and file": ["forms: a form becomes a sweep with a live grid"],
    "the failures of a posting were not grouped": ["postings: a posting is paused and resumed"],
    "forms had no files, dates, choices and steps": [
        "forms: a form of several steps takes a file, choices of a worker and presets",
        "forms: a form submits what it shows",
        "web/src/components/form/formValues.test.ts: moves by at least one step for each arrow key",
    ],
    "Run did not tell of a lock of somebody else": ["forms: a form waits while another person holds the lock"],
    "undo and the viewer had no keys that work everywhere": [
        "changes: a change is undone and redone",
        "scene: keys work wherever the focus is",
    ],
    "a file was opened only beside a running server": [
        "tests/acceptance/server/cli/test_open.py: test_a_file_is_opened_by_a_server_that_the_command_starts_and_ends"
    ],
    "private rooms of guests were open to anybody of the same name": [
        "tests/acceptance/accounts/test_accounts.py: "
        "test_guests_of_one_name_are_accounts_of_their_own_with_readable_names"
    ],
    "the list of rooms had no pictures and no order, and ended without a word": [
        "together: people mention each other",
        "navigation: a long list of rooms says how many it shows",
    ],
    "figures were shown one at a time, and colours without units": [
        "frames: a long trajectory is counted, downloaded, plotted twice",
        "scene: colours stay in their room",
    ],
    "pictures had one size and showed the marks of the selection": [
        "scene: colours stay in their room and under the selection, and pictures leave its rings out"
    ],
    "a selection belonged to nobody": ["together: people mention each other, write formulas, have selections"],
    "a job that ignored a cancel seemed to have been cancelled": ["jobs: a job that does not check for a cancel"],
    "words were quaint": ["tests/web/test_reported_faults.py: test_the_app_uses_words_that_people_know"],
    "links lasted a week whatever one chose, and the audit missed what people did": [
        "accounts: an owner makes links that last as long as chosen",
        "tests/acceptance/accounts/test_admin_audit.py: test_signing_out_here_or_everywhere_is_audited",
    ],
}
# Whole texts, which are ordinary within a sentence.
QUAINT = ["Way", "Lately", "Printed", "Keep", "As it was at first"]
QUAINT_WITHIN = [
    "parted by",
    "this part could not be shown",
    "they ran at most",
    "they waited at most",
    "put the tool away",
    "come closer",
]


def _titles(file: str) -> list[str]:
    [spec] = (ROOT / "web/e2e").rglob(f"{file}.spec.ts")
    text = spec.read_text()
    return re.findall(r'^test\("([^"]+)", async', text, re.MULTILINE)


def test_faults_and_frictions_are_all_listed() -> None:
    assert len(REPORTED) == 13 + 22 + 22


def _tests(file: str) -> list[str]:
    """The names of the tests of a file, as its language writes them."""
    text = (ROOT / file).read_text()
    if file.endswith(".py"):
        return re.findall(r"^(?:async )?def (test_\w+)\(", text, re.MULTILINE)
    return re.findall(r'^ *(?:it|test)\("([^"]+)", ', text, re.MULTILINE)


def _named(place: str) -> list[str]:
    """The tests that a line of the list names: a scenario by the beginning of its title, others by their whole name."""
    file, name = place.split(": ", 1)
    if "/" in file:
        return [one for one in _tests(file) if one == name]
    return [title for title in _titles(file) if title.startswith(name)]


@pytest.mark.parametrize("reported", REPORTED)
def test_what_was_reported_has_a_test(reported: str) -> None:
    assert REPORTED[reported]
    for place in REPORTED[reported]:
        assert len(_named(place)) == 1, place


@pytest.mark.parametrize(
    "place",
    [
        "tests/actions/jobs/test_breaker.py: test_",
        "tests/actions/jobs/test_breaker.py: def test_",
        'tests/acceptance/server/cli/test_cli.py: assert "1 frame',
        "web/src/components/form/formValues.test.ts: moves",
        "forms: a form",
    ],
)
def test_a_part_of_a_file_is_no_test(place: str) -> None:
    assert len(_named(place)) != 1


def _sources() -> dict[str, str]:
    sources = [path for path in (ROOT / "web/src").rglob("*.tsx") if "generated" not in path.parts]
    assert len(sources) > 100
    return {path.name: path.read_text() for path in sources}


def test_the_app_uses_words_that_people_know() -> None:
    sources = _sources()
    for word in QUAINT:
        pattern = re.compile(rf'["`>]\s*{word}\s*["`<]')
        assert not [name for name, text in sources.items() if pattern.search(text)], word
    for words in QUAINT_WITHIN:
        pattern = re.compile(words.replace(" ", r"\s+"), re.IGNORECASE)
        assert not [name for name, text in sources.items() if pattern.search(text)], words


def test_the_welcome_names_buttons_that_the_app_has() -> None:
    named = re.findall(r"(?<!\*)\*([^*\n]+)\*(?!\*)", WELCOME_MESSAGE)
    assert set(named) == {"Space", "Run", "Add file"}
    texts = "\n".join(_sources().values())
    for name in named:
        assert re.search(rf'"{name}"|>\s*{name}\s*<|\({name}\)', texts), name
