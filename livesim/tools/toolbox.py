"""The registry of tools: validates a call, lets a fault hit it, runs the behaviour, writes the result."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from livesim.tools.faults import FaultInjector
from livesim.tools.shop import ShopView
from livesim.tools.spec import ToolSpec
from livesim.types import ToolCall, ToolResult


class Toolbox:
    """Tools by canonical name."""

    def __init__(self, specs: Mapping[str, ToolSpec], behaviours: Mapping[str, Callable[..., object]]) -> None:
        self.specs = dict(specs)

    def call(self, call: ToolCall, shop: ShopView, injector: FaultInjector) -> ToolResult:
        """The result of one call; never raises on anything a model wrote."""
        raise NotImplementedError
