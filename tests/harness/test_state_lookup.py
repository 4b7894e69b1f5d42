"""A state can key a cache: equal states meet, an edit parts them, and nothing cached travels to another process."""

from __future__ import annotations

import pickle
from dataclasses import replace

from livesim.harness import shelf
from livesim.harness.prompt import system_prompt


def test_equal_states_have_one_lookup_and_an_edit_another_prompt() -> None:
    state = shelf.load("compact")
    twin = replace(state)
    assert twin is not state
    assert twin == state
    assert hash(twin) == hash(state)
    assert system_prompt(twin) is system_prompt(state)
    block = replace(state.prompt.blocks[0], text="Be brief.")
    edited = replace(state, prompt=replace(state.prompt, blocks=(block, *state.prompt.blocks[1:])))
    assert "Be brief." in system_prompt(edited)
    assert edited.hash != state.hash


def test_what_is_cached_stays_in_its_process() -> None:
    state = shelf.load("compact")
    assert hash(state)
    assert state.hash
    back = pickle.loads(pickle.dumps(state))
    assert back == state
    assert back.hash == state.hash
    assert "_lookup" not in vars(pickle.loads(pickle.dumps(state)))
