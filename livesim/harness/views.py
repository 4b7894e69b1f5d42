"""Tool views: an entry of ``tools.yaml`` over a tool's spec, and back."""

from __future__ import annotations

from collections.abc import Mapping

from livesim.errors import HarnessError, unknown
from livesim.harness.files import ParameterFile, ToolFile
from livesim.harness.state import ParamView, ToolView
from livesim.tools.spec import ToolSpec

KINDS = ("integer", "string")


def read_view(entry: ToolFile, specs: Mapping[str, ToolSpec], where: str) -> ToolView:
    """A tool view from its entry.

    Args:
        entry: of ``tools.yaml``; what it leaves out comes from the tool's spec.
        specs: the tools there are.
        where: named in errors.

    Raises:
        HarnessError: an unknown tool or parameter, or a distractor without name and description.
    """
    if not entry.tool:
        if not entry.name or not entry.description:
            raise HarnessError(f"{where}: a tool without a canonical name needs name and description")
        params = [
            (name, param, _told(param, name), param.kind or "string", param.required is not False)
            for name, param in entry.parameters.items()
        ]
        return _built("", entry.name, entry.description, params)
    if entry.tool not in specs:
        raise HarnessError(f"{where}: {unknown('tool', entry.tool, specs)}")
    own = spec_params(specs[entry.tool])
    strange = [name for name in entry.parameters if name not in own]
    if strange:
        raise HarnessError(f"{where}: {unknown(f'parameter of {entry.tool}', strange[0], own)}")
    order = [*entry.parameters, *(name for name in own if name not in entry.parameters)]
    built = []
    for name in order:
        param = entry.parameters.get(name, ParameterFile())
        description, kind, required = own[name]
        built.append(
            (
                name,
                param,
                _told(param, description),
                param.kind or kind,
                required if param.required is None else param.required,
            )
        )
    description = specs[entry.tool].description if entry.description is None else entry.description
    return _built(entry.tool, entry.name or entry.tool, description, built)


def _told(param: ParameterFile, otherwise: str) -> str:
    return otherwise if param.description is None else param.description


def _built(
    canonical: str, name: str, description: str, params: list[tuple[str, ParameterFile, str, str, bool]]
) -> ToolView:
    views = tuple(ParamView(own, param.name or own, text) for own, param, text, _, _ in params)
    needed = tuple(param.name or own for own, param, _, _, required in params if required)
    return ToolView(canonical, name, description, views, tuple(kind for *_, kind, _ in params), needed)


def spec_params(spec: ToolSpec) -> dict[str, tuple[str, str, bool]]:
    """Canonical parameters of a tool in order: description, JSON type, required."""
    schema = spec.schema()
    properties, needed = schema.get("properties", {}), schema.get("required", [])
    found: dict[str, tuple[str, str, bool]] = {}
    for name, part in properties.items() if isinstance(properties, dict) else ():
        kind = part.get("type") if isinstance(part, dict) else None
        text = part.get("description") if isinstance(part, dict) else None
        if kind not in KINDS:
            raise HarnessError(f"tool {spec.name!r}: parameter {name!r} must be an integer or a string, not {kind!r}")
        found[name] = (str(text or name.replace("_", " ")), str(kind), isinstance(needed, list) and name in needed)
    return found


def default_view(spec: ToolSpec) -> ToolView:
    """The tool under its canonical names, as ``tools.yaml`` shows it when it says nothing else."""
    return read_view(ToolFile(tool=spec.name), {spec.name: spec}, spec.name)


def write_view(view: ToolView, specs: Mapping[str, ToolSpec]) -> dict[str, object]:
    """The entry of a view, everything spelled out; ``read_view`` gives an equal view back."""
    own = spec_params(specs[view.canonical]) if view.canonical else {}
    parameters: dict[str, dict[str, object]] = {}
    for param, kind in zip(view.params, view.kinds, strict=True):
        entry: dict[str, object] = {"name": param.name, "description": param.description}
        required = param.name in view.required
        if own.get(param.canonical, ("", "", None))[1:] != (kind, required):
            entry |= {"kind": kind, "required": required}
        parameters[param.canonical] = entry
    shown: dict[str, object] = {"tool": view.canonical, "name": view.name, "description": view.description}
    return {**shown, "parameters": parameters} if parameters else shown
