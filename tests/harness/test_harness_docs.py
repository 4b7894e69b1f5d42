"""docs/harness.md, carried out: its files are saved, its commands and snippets run, and print what the page says."""

from __future__ import annotations

import re
import shlex
import sys
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from livesim.cli import app
from livesim.harness import shelf
from livesim.harness.folder import load_folder

TEXT = (Path(__file__).parents[2] / "docs" / "harness.md").read_text(encoding="utf-8")
MY_TOOLS, IN_ENV, MY_SERVER, IN_SESSION = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
SHOWN, EXEMPT = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)


def order(*start: str) -> str:
    """What the page's command that starts with these words prints; it must succeed."""
    line = next(line for line in TEXT.splitlines() if line.startswith(" ".join(("livesim", *start))))
    done = CliRunner().invoke(app, shlex.split(line, comments=True)[1:])
    assert done.exit_code == 0, (line, done.output)
    return done.output


def printed(block: str, names: dict[str, object], capfd: pytest.CaptureFixture[str]) -> None:
    """Runs a block and holds its output against the comment behind its ``print``."""
    capfd.readouterr()
    exec(compile(block, "harness.md", "exec"), names)
    shown = re.search(r"^print\(.*\)  # (.*)$", block, re.MULTILINE)
    assert shown is not None
    assert capfd.readouterr().out == f"{shown[1]}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory after ``livesim harness copy``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    order("harness", "copy")
    return tmp_path / "my_harness"


def test_a_tool_of_ones_own(folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    Path("my_tools.py").write_text(MY_TOOLS, encoding="utf-8")
    with (folder / "tools.yaml").open("a", encoding="utf-8") as file:
        file.write(SHOWN)
    monkeypatch.delitem(sys.modules, "my_tools", raising=False)
    assert "0 errors" in order("harness", "--toolbox", "my_tools:toolbox", "lint")
    names: dict[str, object] = {}
    exec(compile(MY_TOOLS, "my_tools.py", "exec"), names)
    printed(IN_ENV, names, capfd)


def test_tools_of_an_mcp_server(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("mcp.server.mcpserver", reason="needs the extra livesim[mcp]")
    Path("my_server.py").write_text(MY_SERVER, encoding="utf-8")
    with (folder / "tools.yaml").open("a", encoding="utf-8") as file:
        file.write("- tool: care_card\n")
    printed(IN_SESSION, {}, capfd)


def test_exemptions_load(folder: Path) -> None:
    hooks = folder / "hooks.yaml"
    settings = yaml.safe_load(hooks.read_text(encoding="utf-8")) | yaml.safe_load(EXEMPT)
    hooks.write_text(yaml.safe_dump(settings), encoding="utf-8")
    assert load_folder(folder).hash != shelf.load("default").hash


def test_what_prove_counts() -> None:
    shown = re.findall(r"^#( +\d+  .*)$", TEXT, re.MULTILINE)
    assert order("harness", "prove").splitlines() == shown
