"""The table of states and verbs says what it should, and says it once."""

from __future__ import annotations

import pytest

from workroom.domain.jobs.states import (
    ACTIVE,
    FINAL,
    MOVES,
    SHORTCUTS,
    SYNONYMS,
    TRANSITIONS,
    WAITING,
    PostingStatus,
    State,
    Verb,
    state_named,
)


def test_every_state_is_waiting_active_or_final_and_only_one_of_them() -> None:
    assert set(State) == WAITING | ACTIVE | FINAL
    assert len(State) == len(WAITING) + len(ACTIVE) + len(FINAL)


def test_no_verb_leads_out_of_a_final_state() -> None:
    assert not [pair for pair in TRANSITIONS if pair[0] in FINAL]
    assert not [move for move in MOVES if move[0] in FINAL]


def test_every_state_that_is_not_final_leads_to_a_final_one() -> None:
    for state in WAITING | ACTIVE:
        reached, edge = {state}, {state}
        while edge:
            edge = {after for before, after in MOVES if before in edge} - reached
            reached |= edge
        assert reached >= FINAL, state


def test_every_verb_applies_somewhere() -> None:
    assert {verb for _, verb in TRANSITIONS} == set(Verb)


def test_every_job_that_has_not_ended_can_be_cancelled() -> None:
    assert {state for state, verb in TRANSITIONS if verb is Verb.CANCEL} == WAITING | ACTIVE
    assert {TRANSITIONS[state, Verb.CANCEL] for state in WAITING | ACTIVE} == {State.CANCELLED}


def test_no_verb_leaves_a_job_where_it_is() -> None:
    assert not [pair for pair, after in TRANSITIONS.items() if pair[0] is after]


def test_only_assign_leads_to_a_worker_and_only_start_makes_a_job_run() -> None:
    assert [pair for pair, after in TRANSITIONS.items() if after is State.ASSIGNED] == [(State.PENDING, Verb.ASSIGN)]
    assert [pair for pair, after in TRANSITIONS.items() if after is State.RUNNING] == [(State.ASSIGNED, Verb.START)]


def test_a_shortcut_is_a_start_and_the_verb_after_it() -> None:
    assert TRANSITIONS[State.ASSIGNED, Verb.START] is State.RUNNING
    assert {
        (State.ASSIGNED, TRANSITIONS[State.RUNNING, verb])
        for verb in (Verb.SUCCEED, Verb.FAIL, Verb.RETRY, Verb.CANCEL)
    } == SHORTCUTS


def test_the_moves_are_the_transitions_and_the_shortcuts_and_nothing_else() -> None:
    assert {(before, after) for (before, _), after in TRANSITIONS.items()} | SHORTCUTS == MOVES
    assert MOVES - {(before, after) for (before, _), after in TRANSITIONS.items()} == {
        (State.ASSIGNED, State.COMPLETED)
    }


@pytest.mark.parametrize("word", [*SYNONYMS])
def test_a_word_of_another_program_means_one_of_our_states(word: str) -> None:
    assert word not in list(State)
    assert state_named(word) is SYNONYMS[word]


def test_both_seeds_words_for_a_status_are_understood() -> None:
    assert state_named("processing") is State.RUNNING
    assert state_named("finished") is State.COMPLETED
    assert [state_named(state.value) for state in State] == list(State)


def test_a_word_that_means_no_state_is_refused() -> None:
    with pytest.raises(ValueError, match="done"):
        state_named("done")


def test_the_final_states_of_a_posting_have_the_names_of_those_of_a_job() -> None:
    assert {status.value for status in PostingStatus} & {state.value for state in State} == {s.value for s in FINAL}
