"""``CHECKS``: every registered check by name, and the sentence that a finding becomes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType

from livesim.harness.hooks.calling import CALLING
from livesim.harness.hooks.check import Attempt, Check, Finding, Option, Options, Stage
from livesim.harness.hooks.compliance import COMPLIANCE
from livesim.harness.hooks.figures import FIGURES
from livesim.harness.hooks.replying import REPLYING
from livesim.harness.prompt import fill
from livesim.harness.state import HarnessState, HookSpec, MessageForm
from livesim.jsontext import as_json

CHECKS: Mapping[str, Check] = MappingProxyType(
    {check.name: check for check in (*CALLING, *REPLYING, *FIGURES, *COMPLIANCE)}
)
"""Name -> check, in the order in which they run when a harness does not say otherwise."""


def options_of(check: Check, hook: HookSpec | None) -> Options:
    """The check's defaults under what the hook sets."""
    return {**check.options, **dict(hook.options if hook else ())}


def hooks_at(state: HarnessState, stage: Stage) -> tuple[tuple[Check, HookSpec | None], ...]:
    """Checks that run at a stage: those enforced always, then the harness's own in its order."""
    named = {hook.check: hook for hook in state.hooks.hooks}
    always = [(check, named.get(check.name)) for check in CHECKS.values() if check.always and check.stage is stage]
    own = [(CHECKS[hook.check], hook) for hook in state.hooks.hooks if hook.check in CHECKS]
    return (*always, *((check, hook) for check, hook in own if check.stage is stage and not check.always))


@lru_cache(maxsize=256)
def _runs(state: HarnessState, stage: Stage, platform: str) -> tuple[tuple[Check, Options], ...]:
    """Checks that run at a stage on a platform, with their options; what is exempt there is left out or off."""
    exempt = frozenset(dict(state.hooks.exempt).get(platform, ()))
    return tuple(
        (check, MappingProxyType(_options(check, hook, exempt)))
        for check, hook in hooks_at(state, stage)
        if check.name not in exempt or check.always
    )


def _options(check: Check, hook: HookSpec | None, exempt: frozenset[str]) -> dict[str, Option]:
    chosen = options_of(check, hook).items()
    return {name: False if f"{check.name}.{name}" in exempt else value for name, value in chosen}


def first_finding(attempt: Attempt, stage: Stage) -> str | None:
    """The message of the first check that finds something, in the harness's form; None when all pass."""
    for check, options in _runs(attempt.state, stage, attempt.platform):
        finding = check.run(attempt, options)
        if finding is not None:
            return worded(attempt.state, check.name, finding)
    return None


def worded(state: HarnessState, name: str, finding: Finding) -> str:
    """A finding as the harness words it: its hook's message, or the check's own, in ``hooks.form``."""
    check = CHECKS[name]
    hook = next((h for h in state.hooks.hooks if h.check == name), None)
    template = hook.message if hook and hook.message else check.message
    text = fill(template, state)
    # One pass, so that a value which looks like a placeholder stays text.
    text = re.sub(r"\{(\w+)\}", lambda m: finding.get(m.group(1), m.group(0)), text)
    return formed(state.hooks.form, check.code, name, text)


def formed(form: MessageForm, code: int, name: str, text: str) -> str:
    """Feedback as text, as a JSON object, or with a code in front."""
    if form is MessageForm.JSON:
        return as_json({"error": name, "message": text})
    if form is MessageForm.CODE:
        return f"[E{code}] {name}: {text}"
    return text
