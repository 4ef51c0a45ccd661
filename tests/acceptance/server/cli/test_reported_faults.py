"""Faults that people who installed Workroom and typed its commands reported, each with the tests that would notice.

`tests/web/test_reported_faults.py` has those of the web app.
"""

from __future__ import annotations

from pathlib import Path

import pytest

TESTS = Path(__file__).parents[3]

_CLI = "acceptance/server/cli/test_cli.py"
_WRONG = "acceptance/server/cli/test_wrong_input.py"
_LIGHT = "acceptance/server/cli/test_partial_install.py"
_VALUES = "acceptance/jobs/forms/test_values_travel.py"
_BLOCKS = "acceptance/server/pages/test_shell_blocks.py"
REPORTED: dict[str, str] = {
    "a wrong admin password was ignored, and the command ran as another user": (
        f"{_CLI}: test_a_wrong_password_is_never_ignored"
    ),
    "a server without the extra atoms offered extensions that cannot run": (
        f"{_LIGHT}: test_a_server_without_atoms_offers_nothing_that_cannot_run"
    ),
    "the light install answered with tracebacks": f"{_LIGHT}: test_the_light_install_names_what_is_missing",
    "a folder that may not be entered gave tracebacks": f"{_LIGHT}: test_a_folder_that_may_not_be_entered_is_told",
    "a command for a server that is away gave a traceback": f"{_WRONG}: profiles top --url",
    "a worker's log said nothing about its jobs": (
        "unit/worker/test_job_log.py: test_start_and_end_of_a_job_are_logged_with_its_duration_and_last_line"
    ),
    "documented commands failed as written": f"{_BLOCKS}: test_the_shell_blocks_of_a_page_run",
    "a posting that nobody runs looked like one that runs": (
        f"{_CLI}: test_a_posting_that_nobody_runs_says_what_it_waits_for"
    ),
    "ids were cut off on a terminal": "unit/cli/test_output.py: test_a_narrow_terminal_cuts_no_id_off",
    "counters missed what pools do": (
        "acceptance/server/test_metrics.py: test_after_a_thousand_pool_calls_the_counters_say_a_thousand"
    ),
    "a second server started on the same database": (
        "acceptance/server/database/test_only_server.py: test_a_second_server_is_refused_and_told_of_the_first"
    ),
    "a pool upgraded the database": "store/test_migrate.py: test_a_pool_creates_a_schema_and_changes_none",
    "nothing live worked below a path of a proxy": (
        "acceptance/server/deploy/test_sub_path.py: test_clients_and_workers_use_the_url_with_the_path"
    ),
    "the app could not be built in a folder with a space": (
        "unit/test_web_scripts.py: test_they_run_in_a_folder_with_a_space"
    ),
    "numbers of NumPy were refused": "unit/domain/values/test_codec.py: test_every_kind_comes_back_as_it_went",
    "--version and -h did not exist": f"{_CLI}: test_version_help_and_completion_have_their_usual_options",
    "a mistyped command was taken for a file": f"{_CLI}: test_an_unknown_command_is_an_error_and_not_a_file",
    "a deleted account came back": (
        "actions/accounts/test_accounts.py: test_a_deleted_account_is_gone_and_its_name_is_free"
    ),
    "no login was kept": f"{_CLI}: test_a_login_is_kept_until_the_logout",
    "a file that cannot be read left an empty room": f"{_CLI}: test_a_file_that_cannot_be_read_leaves_no_room_behind",
    "the stop of a server was not logged": (
        "acceptance/server/cli/test_serve.py: test_it_starts_says_where_and_stops_cleanly_leaving_nothing"
    ),
    "the demo named an address of a server that had ended": (
        "acceptance/server/cli/test_demo.py: test_the_demo_checks_itself"
    ),
    "a name with # deleted another room": f"{_WRONG}: rooms delete taken-room#old",
    "another program at the port gave a traceback": f"{_WRONG}: rooms list --url {{other}}",
    "a URL with a wrong port gave a traceback": f"{_WRONG}: rooms list --url http://localhost:99999",
    "large integers became floats": f"{_CLI}: large.jsonl",
    "a request with a large integer was rounded": (
        "acceptance/jobs/test_submit_route.py: test_an_integer_that_would_be_rounded_is_refused_with_the_fix"
    ),
    "a list that contains itself ended an extension's arguments with a RecursionError": (
        f"{_VALUES}: test_what_contains_itself_is_refused_in_a_field"
    ),
    "attributes of a dataclass were lost": (
        "unit/domain/values/test_codec.py: test_what_cannot_travel_is_refused_with_the_fix"
    ),
    "an error of the caller's generator was replaced by another": (
        "acceptance/postings/test_postings.py: test_what_cannot_come_back_is_refused_and_nothing_is_written"
    ),
    "a file of calls in another encoding was told as a wrong number of arguments": f"{_WRONG}: latin.csv",
    "worker, post and open asked for no password": (
        "acceptance/accounts/test_password_prompt.py: test_commands_that_sign_in_by_themselves_ask_too"
    ),
    "a browser of text blocked the demo": "unit/cli/test_browser.py: test_a_browser_is_opened_only_with_a_window",
    "a molecule beside another structure had no bonds": (
        "unit/atoms/modifiers/test_empty.py: test_a_molecule_has_its_bonds_also_beside_another_structure"
    ),
}


# Phrases that readers stumbled over.
ODD = (
    "so-manieth",
    "rate of late",
    "the levers",
    "the local one without",
    "And your password",
    "Tell the version",
    "Say --yes",
    "is no job's id",
    "belongs to somebody",
    "There is no such thing",
    "upkeep leads",
    "another takes its place",
    "not starting with a sign",
)


def test_texts_avoid_phrases_that_readers_stumbled_over() -> None:
    root = TESTS.parent
    texts = [file for folder in ("src", "docs") for file in (root / folder).rglob("*") if file.suffix in (".py", ".md")]
    assert len(texts) > 300
    found = {phrase: str(file) for file in texts for phrase in ODD if phrase in file.read_text()}
    assert found == {}


@pytest.mark.parametrize("reported", REPORTED)
def test_what_was_reported_has_a_test(reported: str) -> None:
    file, name = REPORTED[reported].split(": ", 1)
    assert name in (TESTS / file).read_text()
