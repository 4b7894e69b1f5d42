"""Options that several commands share, each with the help that explains it."""

from pathlib import Path
from typing import Annotated

import typer

Agent = Annotated[
    str,
    typer.Option(
        help="oracle, oracle_plain, oracle_with_mistakes, oracle_plain_with_mistakes, novice, novice:0.3, random, "
        "silent, echo, call_everything, or react:URL or react:URL#MODEL of an OpenAI-compatible endpoint"
    ),
]
Model = Annotated[
    str,
    typer.Option(
        help="model folder, http(s) address of an OpenAI-compatible endpoint, or agent (livesim play --help lists them)"
    ),
]
Viewers = Annotated[
    str | None,
    typer.Option(
        help="preset, plug-in (demo, demo:5), module:Class, replay:FILE, script:FILE or a .yaml file; default: the "
        "scenario's own"
    ),
]
Augment = Annotated[
    str | None,
    typer.Option(
        help="vary the harness: train, train_wide or heldout, or one dimension of it, e.g. heldout:hook "
        "(skill_identifier, skill_content, tool_definition, system_prompt, hook); default: as it is"
    ),
]
Faults = Annotated[
    str | None, typer.Option(help="how tools fail: none, light, stress, outages or rush; default: the scenario's own")
]
Suites = Annotated[
    str,
    typer.Option(
        help="comma-separated: live_stream_qa (T1, the original harness), harness_variant_qa (T2, changed ones), "
        "tool_prompt_robustness (T3, failing tools and mistyped comments); or ifeval (T4) by itself"
    ),
]
Room = Annotated[
    str, typer.Option(help="scenario: name (livesim scenario list) or YAML file; empty: rooms drawn from the seed")
]
Start = Annotated[str, typer.Option(help="harness to begin with: default, compact, or a folder; stays as it is")]
Results = Annotated[Path, typer.Option(help="folder of all results; the same command goes on where it stopped")]
Toolbox = Annotated[str, typer.Option(help="module:object, a Toolbox with tools of your own (docs/harness.md)")]
Width = Annotated[int, typer.Option(min=1, help="episodes that are played at once")]
ContextTokens = Annotated[
    int, typer.Option(min=64, help="most tokens of a whole request, prompt included; model folders only")
]
