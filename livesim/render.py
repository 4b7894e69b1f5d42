"""The room and the conversation as a text frame."""

from __future__ import annotations

from collections.abc import Sequence

from livesim.types import End, Message, Role, RoomView
from rewards.score import Scores

WIDTH = 100
_MARKS = {Role.USER: "viewers", Role.ASSISTANT: "host", Role.TOOL: "harness"}


def clock(seconds: float) -> str:
    """Stream time as ``h:mm:ss``."""
    whole = int(seconds)
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def frame(room: RoomView, messages: Sequence[Message], scores: Scores | None, end: End) -> str:
    """One frame: the room in a line, the conversation of the open request, the last scores.

    Args:
        room: what the host may see.
        messages: of the open request; the system prompt is left out.
        scores: of the last closed request, if there is one.
        end: state of the episode.
    """
    items = ", ".join(f"{item.link} {item.title}" for item in room.items)
    lines = [
        f"[{clock(room.clock_s)}] {room.viewers} viewers | on air: link {room.on_air} | {items}",
        *(f"  ! {notice}" for notice in room.notices),
        "-" * WIDTH,
    ]
    for message in messages:
        if message.role is Role.SYSTEM:
            continue
        mark = _MARKS.get(message.role, str(message.role))
        body = message.content.splitlines() or [""]
        lines += [f"{mark:>8}: {body[0]}", *(f"{'':>8}  {line}" for line in body[1:])]
    if scores is not None:
        lines.append("-" * WIDTH)
        heads = "  ".join(f"{name} {value:g}" for name, value in scores.heads.items())
        lines.append(f"last request: {heads}  total {scores.total:.2f}")
    if end is not End.RUNNING:
        lines.append(f"episode over: {end}")
    return "\n".join(lines)
