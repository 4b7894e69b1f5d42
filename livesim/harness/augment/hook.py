"""The hook dimension: feedback in other words and another form, another number of retries."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from livesim.harness.augment.config import Split
from livesim.harness.augment.grammar import chance, pick
from livesim.harness.augment.paraphrase import reworded
from livesim.harness.augment.pools_hooks import HOOK_FRAMES, HOOK_MESSAGES
from livesim.harness.hooks.registry import CHECKS
from livesim.harness.state import HarnessState, HookSpec, MessageForm

RETRY_RANGE = (1, 3)
"""Retries move within this range."""

_PREFIX = re.compile(r"^[A-Z][\w ]{0,20}: ")


def vary_hooks(state: HarnessState, rng: np.random.Generator, strength: float, split: Split) -> HarnessState:
    """Reword the feedback, change its form and how often a turn may be retried. The checks themselves stay.

    Args:
        state: untouched.
        rng: the same generator state gives the same result.
        strength: chance that a message, the form or the retries change.
        split: whose surfaces are used.
    """
    hooks = state.hooks
    messages = tuple(
        replace(hook, message=_message(hook, split, rng)) if chance(strength, rng) else hook for hook in hooks.hooks
    )
    form = pick([form for form in MessageForm if form is not hooks.form], rng)
    retries = int(rng.integers(RETRY_RANGE[0], RETRY_RANGE[1] + 1))
    return replace(
        state,
        hooks=replace(
            hooks,
            hooks=messages,
            form=form if chance(0.7 * strength, rng) else hooks.form,
            retries=retries if chance(strength, rng) else hooks.retries,
        ),
    )


def _message(hook: HookSpec, split: Split, rng: np.random.Generator) -> str:
    """Another message of the same check; a check without a pool keeps its words, with synonyms, in another frame."""
    pool = HOOK_MESSAGES.get(hook.check)
    if pool is not None:
        core = pool.draw(split, rng)
    elif (bare := unprefixed(hook)) == "":
        return ""
    else:
        core = reworded(bare, split, rng)
    text = HOOK_FRAMES.draw(split, rng).replace("{}", core)
    return text if text.startswith("{") else text[:1].upper() + text[1:]


def unprefixed(hook: HookSpec) -> str:
    """What a hook says is wrong, without what stands before a colon; its check's own words when it has none."""
    check = CHECKS.get(hook.check)
    return _PREFIX.sub("", hook.message or (check.message if check is not None else ""))
