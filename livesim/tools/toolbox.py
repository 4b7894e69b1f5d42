"""The registry of tools: validates a call, lets a fault hit it, runs the behaviour, writes the result."""

from __future__ import annotations

from collections.abc import Mapping

from livesim.errors import ConfigError, LiveSimError, unknown
from livesim.tools.answer import Answer, Refusal, compact
from livesim.tools.arguments import Arguments, normalise
from livesim.tools.builtin import LOAD_SKILL, SPECS
from livesim.tools.damage import disowned, older, partial
from livesim.tools.fault_texts import error_text
from livesim.tools.faults import Draw, FaultConfig, FaultInjector, Wording
from livesim.tools.shop import BEHAVIOURS, Behaviour, ShopView
from livesim.tools.spec import Effect, ToolSpec
from livesim.types import ToolCall, ToolResult
from rewards.signals import DOUBTFUL, CallError, FaultKind

REFUSED_S = 0.05
"""Stream seconds of a call that never reaches its tool."""


class Toolbox:
    """Tools by canonical name: the built-in ones unless told otherwise, and those that ``register`` adds."""

    def __init__(self, specs: Mapping[str, ToolSpec] = SPECS, behaviours: Mapping[str, Behaviour] = BEHAVIOURS) -> None:
        self._specs = {name: spec for name, spec in specs.items() if name in behaviours}
        self._behaviours = {name: behaviours[name] for name in self._specs}

    @property
    def specs(self) -> Mapping[str, ToolSpec]:
        """Specs of all tools that answer here, in order of registration; ``load_skill`` is the session's."""
        return self._specs

    def register(self, spec: ToolSpec, behaviour: Behaviour) -> None:
        """Add a tool.

        Args:
            spec: its name must be new; an integer argument ``link`` is not looked up unless the behaviour does so
                (``shop.on_item``).
            behaviour: ``(shop, arguments) -> Answer | Refusal``; a WRITE one must do nothing the second time.

        Raises:
            ConfigError: the name is taken.
        """
        if spec.name in self._specs or spec.name == LOAD_SKILL:
            raise ConfigError(f"tool {spec.name!r} is registered already")
        self._specs[spec.name] = spec
        self._behaviours[spec.name] = behaviour

    def check(self, config: FaultConfig) -> None:
        """Raises ConfigError when a fault config names a tool that is not here."""
        out = (tool for outage in config.outages for tool in outage.tools)
        for name in (*config.tools, *(scripted.tool for scripted in config.script), *out):
            if name not in self._specs:
                raise ConfigError(unknown("tool in faults:", name, self._specs))

    def call(
        self, call: ToolCall, shop: ShopView, injector: FaultInjector, shown: Mapping[str, str] | None = None
    ) -> ToolResult:
        """The result of one call; nothing that a model wrote makes it raise.

        A call with an unknown name or bad arguments never reaches the tool: it is answered with a sentence that names
        what is wrong, and counts as no call for the injector. A fault on a WRITE tool may have let the effect happen
        and lost the answer.

        Args:
            call: canonical names.
            shop: the second in which it happens.
            injector: of the episode.
            shown: canonical parameter -> the name that this harness shows, for error sentences.

        Raises:
            LiveSimError: a registered behaviour raised (a bug in it); names the tool.
        """
        spec = self._specs.get(call.tool)
        if spec is None:
            reason = unknown("tool", call.tool[:80], self._specs)
            return ToolResult(False, compact({"error": reason}), error=CallError.UNKNOWN_TOOL, latency_s=REFUSED_S)
        mutates = spec.effect is Effect.WRITE
        arguments, problem = normalise(spec, call.arguments, shown)
        if problem:
            text = compact({"error": problem})
            return ToolResult(False, text, (), CallError.BAD_ARGUMENTS, latency_s=REFUSED_S, mutates=mutates)
        draw = injector.draw(spec.name, shop.clock_s)
        return self._meet(spec, arguments, shop, draw, injector.config.wording, call.shown)

    def _meet(
        self, spec: ToolSpec, arguments: Arguments, shop: ShopView, draw: Draw, wording: Wording, shown: str
    ) -> ToolResult:
        mutates = spec.effect is Effect.WRITE
        kind = draw.kind
        if kind is None or kind in DOUBTFUL:
            answer = self._run(spec.name, shop, arguments)
            changed = answer
            if isinstance(answer, Answer) and kind is FaultKind.PARTIAL:
                changed = partial(answer, draw.seed, wording)
            elif isinstance(answer, Answer) and kind is not None and not mutates:
                changed = self._run(spec.name, older(shop, draw.seed), arguments)
            if isinstance(changed, Refusal) or changed == answer:  # nothing to lose, or nothing that ages
                return _plain(answer, draw.latency_s, mutates)
            if kind is FaultKind.CONTRADICTION:
                changed = disowned(changed, draw.seed, wording)
            return ToolResult(True, changed.text, changed.facts, None, kind, draw.latency_s, mutates)
        if mutates and (kind is FaultKind.MALFORMED or (kind is FaultKind.TIMEOUT and draw.applied)):
            self._run(spec.name, shop, arguments)  # it took effect; only the answer is lost
        text = error_text(kind, draw.seed, wording, shown or spec.name)
        return ToolResult(False, text, (), None, kind, draw.latency_s, mutates)

    def _run(self, tool: str, shop: ShopView, arguments: Arguments) -> Answer | Refusal:
        try:
            return self._behaviours[tool](shop, arguments)
        except Exception as error:
            raise LiveSimError(f"tool {tool!r} raised {type(error).__name__}: {error}") from error


def _plain(answer: Answer | Refusal, latency_s: float, mutates: bool) -> ToolResult:
    if isinstance(answer, Refusal):
        return ToolResult(False, answer.text, latency_s=latency_s, mutates=mutates)
    return ToolResult(True, answer.text, answer.facts, latency_s=latency_s, mutates=mutates)
