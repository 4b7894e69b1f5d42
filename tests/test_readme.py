"""What the README claims about the repository is so."""

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_tree_matches_the_modules():
    spec = importlib.util.spec_from_file_location("readme_tree", ROOT / "benchmarks" / "readme_tree.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.tree() in README, "run: python benchmarks/readme_tree.py --write"


def test_linked_files_exist():
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_python_examples_run(tmp_path):
    """Both examples in the order of the page, with viewers of the second one asked for a request."""
    names: dict[str, object] = {}
    blocks = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)
    _, info = names["env"].reset(seed=1)
    assert "final price" in info["messages"][-1]["content"]


def test_recovery_scenario_is_passed_by_the_oracle_and_not_by_silence(tmp_path):
    from agents.floors import SilentAgent
    from agents.oracle import OracleAgent
    from livesim.regression.lint import lint_file
    from livesim.regression.play import rehearse
    from livesim.scenarios import library

    path = tmp_path / "sale.scenario.yaml"
    path.write_text(re.search(r"```yaml\n(.*?)```", README, flags=re.DOTALL).group(1), encoding="utf-8")
    assert lint_file(path) == ()
    assert rehearse(library.load(path), OracleAgent()).passed
    assert not rehearse(library.load(path), SilentAgent()).passed


def test_the_number_of_shipped_scenarios_is_so():
    from livesim.scenarios import library

    count = len(library.tests())
    assert f"{count} such tests are shipped" in README
    assert f"{count} shipped tests in" in (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
