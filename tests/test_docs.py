"""What the docs name exists, what they cite is in the repository, and their figures are those of the code."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import gymnasium as gym
import pytest
import typer
from typer.testing import CliRunner

from agents.roster import ROSTER
from livesim.cli import app
from livesim.harness import shelf
from livesim.harness.augment import Dimension
from livesim.scenarios import library
from livesim.tools.faults import DRAWN, PRESETS
from livesim.validation.battery import PARTS
from livesim.world.lawbook import LAWS
from livesim.world.returns import CONFIRMED
from livesim.world.serving import DISCIPLINES
from livesim.world.viewers import BURST_SHARES, SHARES
from rewards.score import HEADS, RewardConfig
from rewards.signals import FaultKind

ROOT = Path(__file__).parents[1]
PAGES = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")])
HELD: dict[str, tuple[str, ...]] = {
    "play": (*ROSTER, *PRESETS, *DISCIPLINES, *Dimension, *shelf.names()),
    "validate": tuple(PARTS),
}
"""Command -> what the help of its options must name."""
DOMAIN = (ROOT / "docs" / "domain.md").read_text(encoding="utf-8")
SOURCES = [
    path
    for folder in ("livesim", "agents", "rewards", "benchmarks", "configs", "docs", "tests")
    for pattern in ("*.py", "*.md", "*.yaml")
    for path in (ROOT / folder).rglob(pattern)
    if path != Path(__file__)
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_cited_pages_and_sections_are_in_the_repository() -> None:
    pages = {f"docs/{page.name}": page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md")}
    headings = {name: {"", *re.findall(r"^## (\d)\. ", text, re.MULTILINE)} for name, text in pages.items()}
    missing = []
    for path in SOURCES:
        text = " ".join(path.read_text(encoding="utf-8").split())
        for page, *sections in re.findall(r"\b(docs/\w+\.md)(?: sections? (\d)(?: to (\d))?)?", text):
            if not {*sections} <= headings.get(page, set()):
                missing.append((path.name, page, *sections))
        private = re.findall(r"\bfacts/\w+\.md|\bfacts,? (?:section )?\d|\(facts: \d|\.\./shared", text)
        missing += [(path.name, name) for name in private]
    assert missing == []


def test_shares_of_intents_are_those_of_the_simulator() -> None:
    rows = re.findall(r"^\| [^|]+ \| (\d+) % \| (\d+) % \|$", DOMAIN, re.MULTILINE)
    assert [(int(a), int(b)) for a, b in rows] == [
        (round(100 * SHARES[intent]), round(100 * BURST_SHARES[intent])) for intent in SHARES
    ]


def test_fault_rates_are_those_of_the_presets() -> None:
    rows = re.findall(r"\| ([\d.]+) % / ([\d.]+) % \|$", DOMAIN, re.MULTILINE)
    light, stress = PRESETS["light"].rates, PRESETS["stress"].rates
    assert [(float(a), float(b)) for a, b in rows] == [
        pytest.approx((100 * light[kind], 100 * stress[kind])) for kind in DRAWN
    ]
    assert {*FaultKind} - {*DRAWN} == {FaultKind.CONTRADICTION}


def test_shares_of_confirmed_orders_are_those_of_the_world() -> None:
    row = re.search(r"^\| receipt confirmed.*$", DOMAIN, re.MULTILINE)
    assert row is not None
    assert {name: float(share) for name, share in re.findall(r"(\w+) (\.\d+)", row[0])} == CONFIRMED


def test_every_law_has_its_source() -> None:
    cells = re.findall(r"\| ([^|]+) \|$", DOMAIN, re.MULTILINE)
    assert {*LAWS} <= {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def test_the_examples_of_the_environment_page_run_and_print_what_it_shows(capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 3
    names: dict[str, object] = {}
    for number, block in enumerate(blocks):
        exec(compile(block, "environment.md", "exec"), names)
        printed = capsys.readouterr().out
        if number == 0:
            assert f"```text\n{printed}```" in page
    env = names["env"]
    assert isinstance(env, gym.Env)
    env.reset(seed=7)
    turns = names["turns"]
    assert isinstance(turns, list)
    for turn in ("Friends, link 8 charges in 2 hours.", *turns[:-1], "Friends, link 8 charges in 2 hours."):
        _, reward, *_, info = env.step(turn)
    assert info["vector"] == [info["heads"][name] for name in HEADS]
    assert reward == min(info["vector"]) == 0.0
    assert info["heads"]["tool_rationality"] > 0.0


def test_the_rooms_and_weights_of_the_environment_page_are_those_of_the_code() -> None:
    page = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    rooms = re.search(r"\| room \| `scenario=` \| (.*?) one of the (\d+) scenario tests", page)
    assert rooms is not None
    assert {*re.findall(r"`(\w+)`", rooms[1])} == {*library.names()}
    assert int(rooms[2]) == len(library.tests())
    weights = dict(re.findall(r"^\| (\w+) \| [^|]+ \| (\.\d\d) \|", page, re.MULTILINE))
    config = RewardConfig()
    assert {name: float(weight) for name, weight in weights.items()} == config.weights | {
        "length": config.length.weight
    }


def _commands() -> Iterator[tuple[str, str, dict[str, str]]]:
    """Every command: the words that call it, its help, and the help of each option and argument."""
    groups = [("livesim", typer.main.get_command(app))]
    for name, command in groups:
        yield name, command.help or "", {str(one.name): getattr(one, "help", None) or "" for one in command.params}
        groups += [(f"{name} {part}", found) for part, found in getattr(command, "commands", {}).items()]


def _orders() -> Iterator[tuple[str, list[str]]]:
    """Every ``livesim ...`` line of a code block or a ``--help``, with its page."""
    for name, text, _ in _commands():
        for line in text.splitlines():
            if line.strip().startswith("livesim "):
                yield f"{name} --help", shlex.split(line)[1:]
    for page in PAGES:
        blocks = re.findall(r"^```(\w*)\n(.*?)^```$", page.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
        for block in (text for language, text in blocks if language in ("", "bash", "sh")):
            for line in block.replace("\\\n", " ").splitlines():
                if line.strip().startswith("livesim "):
                    yield page.name, shlex.split(line, comments=True)[1:]


def test_help_explains_every_option_and_shows_all_of_its_text() -> None:
    for name, _, options in _commands():
        shown = CliRunner().invoke(app, [*name.split()[1:], "--help"], env={"COLUMNS": "400"}).output
        short = [option for option, told in options.items() if len(told.split()) < 3]
        cut = [option for option, told in options.items() if told not in shown]  # rich takes [...] for markup
        assert (name, short, cut) == (name, [], [])


def test_help_names_what_can_be_chosen() -> None:
    shown = {name: CliRunner().invoke(app, [*name.split(), "--help"], env={"COLUMNS": "400"}).output for name in HELD}
    assert {name: [word for word in words if word not in shown[name]] for name, words in HELD.items()} == {
        name: [] for name in HELD
    }


@pytest.mark.parametrize(("page", "words"), [*_orders()], ids=lambda part: part if isinstance(part, str) else part[0])
def test_commands_and_options_of_the_docs_exist(page: str, words: list[str]) -> None:
    command = typer.main.get_command(app)
    rest = [*words]
    while True:
        known = {name for param in command.params for name in (*param.opts, *param.secondary_opts)} | {"--help"}
        commands = getattr(command, "commands", {})
        if not rest or not commands:
            break
        if rest[0] in commands:
            command = commands[rest.pop(0)]
        else:  # an option of a group and its value, as ``--toolbox`` of ``harness``
            assert rest[0] in known, f"{page}: no command {rest[0]}"
            del rest[:2]
    asked = {word.partition("=")[0] for word in rest if word.startswith("--")}
    assert asked <= known, f"{page}: {command.name} has no {sorted(asked - known)}"
