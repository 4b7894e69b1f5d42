"""The search for exploits finds none within its budget, and finds one that is planted."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FILE = Path(__file__).parents[2] / "benchmarks" / "search_exploits.py"


@pytest.fixture(scope="module")
def search() -> ModuleType:
    spec = importlib.util.spec_from_file_location("search_exploits", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_no_template_earns_what_the_oracle_earns(search: ModuleType) -> None:
    lines: list[str] = []
    found = search.search(seconds=20.0, seed=1, episodes=6, say=lines.append)
    assert len({find.intent for find in found}) >= 3
    assert sum(find.tried for find in found) > 20
    assert not [line for line in lines if line.startswith("EXPLOIT")]


def test_a_planted_exploit_is_found(search: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge that pays for the word "great" is seen through."""
    from rewards.judge import Judgement
    from rewards.verdict import Verdict

    class Gullible:
        def judge(self, signals: Any) -> Judgement:
            paid = Verdict(float("great" in (signals.reply or "")))
            return Judgement(paid, paid)

    monkeypatch.setattr(search, "RuleJudge", Gullible)
    tasks = [task for task in search.record(seed=1, episodes=2) if search.needy(task)][:8]
    finds = search.climb("any", tasks, search.stream(0, "test"), seconds=1.5)
    assert any(find.exploit for find in finds)
    assert "great" in "".join(finds[0].template)


def test_a_template_that_holds_the_answer_is_left_out(search: ModuleType) -> None:
    task = next(task for task in search.record(seed=1, episodes=2) if search.needy(task))
    value = task.values[0]
    assert search.knows(f"it is {value}.", ("x",), task)
    assert not search.knows(f"it is 1{value}7.", ("x",), task)
    assert search.earned((f"it is {value}",), [task, task]) == -1.0
