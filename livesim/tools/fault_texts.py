"""How failures are worded: pools for training and held-out ones, disjoint, and the shapes they come in."""

from __future__ import annotations

from collections.abc import Mapping

from livesim.tools.faults import Wording
from livesim.world.dice import Dice
from rewards.signals import FaultKind

Pools = Mapping[str, tuple[str, ...]]
"""``"train"`` and ``"heldout"`` texts."""

_PARTS: Mapping[FaultKind, Pools] = {
    FaultKind.TIMEOUT: {
        "train": (
            "request timed out after {ms} ms",
            "timeout: no answer within {s} seconds",
            "{tool} timed out",
            "the call took longer than {s} s and was stopped",
            "read timeout, {ms} ms elapsed",
            "deadline exceeded",
            "gateway timeout, attempt {n}",
            "upstream did not answer in time",
            "operation timed out, request id {id}",
            "waited {s} s without a reply from the server",
            "connection timed out on port {port}",
            "time limit reached before a result came",
        ),
        "heldout": (
            "no response yet, gave up after {s} sec",
            "backend too slow: {ms} ms budget used up",
            "socket timeout while waiting for node {n}",
            "the clock ran out on this lookup",
            "aborted: answer was late by {ms} ms",
            "timeout expired, ticket {id}",
        ),
    },
    FaultKind.RATE_LIMIT: {
        "train": (
            "rate limit reached, {n} calls per second allowed",
            "too many requests, try again in {s} seconds",
            "{tool} was called too often",
            "quota of {port} calls used up for this minute",
            "request throttled, slow down",
            "call frequency over the limit of {n} per second",
            "limit exceeded, retry after {s} s",
            "flow control: request {id} rejected",
            "too many calls at the same time",
            "server busy with your earlier calls, wait {ms} ms",
            "throttled: {n} requests in the last second",
            "rate limited",
        ),
        "heldout": (
            "easy there: only {n} lookups a second",
            "traffic cap hit, next slot in {s} sec",
            "burst allowance spent, token bucket at 0 of {n}",
            "requests come too fast",
            "concurrency ceiling {n} reached",
            "back off for {ms} ms before the next call",
        ),
    },
    FaultKind.UNAVAILABLE: {
        "train": (
            "service unavailable",
            "{tool} is temporarily down",
            "internal server error, request id {id}",
            "bad gateway",
            "the service is not available right now",
            "remote service error on node {n}",
            "connection refused by port {port}",
            "maintenance in progress, back in {s} minutes",
            "no healthy server found, {n} tried",
            "upstream error, trace {id}",
            "backend is offline",
            "server failed to handle the request",
        ),
        "heldout": (
            "this system is out of order at the moment",
            "host unreachable, {n} hops",
            "circuit open for another {s} sec",
            "shard {n} lost its leader",
            "could not connect, all {n} replicas gone",
            "crashed while answering, dump {id}",
        ),
    },
    FaultKind.PERMISSION_DENIED: {
        "train": (
            "permission denied",
            "access to {tool} is not allowed for this room",
            "not authorised, role {n} needed",
            "access denied, token {id} has no such right",
            "the host account may not use this tool",
            "authorisation expired {s} days ago",
            "forbidden",
            "missing permission for this operation",
            "insufficient rights: level {n} required",
            "this shop has not granted access",
            "credentials rejected for user {id}",
            "permission denied by policy {port}",
        ),
        "heldout": (
            "you lack the clearance for this, grade {n}",
            "access revoked by the shop owner",
            "scope {id} not granted",
            "login is no longer valid",
            "refused: account blocked from this resource",
            "this lookup is off limits here",
        ),
    },
}

_CODES: Mapping[FaultKind, Mapping[str, tuple[int, ...]]] = {
    FaultKind.TIMEOUT: {"train": (504, 408), "heldout": (524, 598)},
    FaultKind.RATE_LIMIT: {"train": (429, 7), "heldout": (420, 509)},
    FaultKind.UNAVAILABLE: {"train": (503, 500, 502), "heldout": (521, 530)},
    FaultKind.PERMISSION_DENIED: {"train": (403, 401), "heldout": (451, 407)},
}

_SHAPES: Pools = {
    "train": (
        '{{"error":"{message}"}}',
        '{{"status":{code},"error":"{message}"}}',
        '{{"ok":false,"message":"{message}"}}',
        '{{"error":{{"code":{code},"message":"{message}"}}}}',
        '{{"success":false,"reason":"{message}","request":{id}}}',
        "error: {message}",
        "Error {code}: {message}",
        "{tool} failed: {message}",
    ),
    "heldout": (
        '{{"result":null,"fault":"{message}"}}',
        '{{"err_code":{code},"err_msg":"{message}"}}',
        "[{code}] {message}",
        "!! {message} ({id})",
    ),
}

_MALFORMED: Pools = {
    "train": (
        '{{"link":{n},"data":{{"pri',
        '{{"link":{n},"value":{port},,}}',
        "<html><head><title>item {n}</title></head><body></body>",
        '{{"d":[[{n},{port}],[{ms}],"x',
        "[object Object]",
        '{{"code":0,"body":"eyJ{id}Q=="}}',
        "{{'v': {port}, 'u': None, 't': {ms}}}",
        '{{"payload":{{"a":{n},"b":{port},"c":null}}',
        "<item><no>{n}</no><amt>{port}</am",
        '{{"rows":{n},"cols":"{id}","cells":[,,,]}}',
        '"{id}|{n}|{port}|{ms}"',
        '{{"schema":"v{n}","unexpected":true}}',
        "NaN,{port},,{ms},null",
    ),
    "heldout": (
        "%7B%22k%22%3A{port}%2C%22z%22%3A{n}",
        '{{"link":{n}}}{{"link":{n},"q":{port}',
        "--part{id}\nlength: {ms}",
        "a:{n}:{{i:0;s:{port}:",
        '{{"$ref":"#/{id}/{n}"}}',
        "0x{id} {port} {ms} ..",
    ),
}

_NOTES: Pools = {
    "train": (
        "some fields are missing",
        "incomplete data",
        "partial result, {n} fields not loaded",
        "not all data could be read",
        "details missing",
        "source {id} did not answer",
    ),
    "heldout": (
        "record cut short",
        "only part of the entry came through",
        "{n} columns lost on the way",
    ),
}

_COPIES: Pools = {
    "train": (
        "old copy, {n} minutes behind; the shop system says otherwise",
        "cached {n} minutes ago, differs from the shop system",
        "replica {id}, not confirmed by the main system",
        "search index, in conflict with the shop system",
        "backup copy, other tools disagree",
        "snapshot {id}, out of step with the live system",
        "copy of {n} minutes ago, contradicted by the order system",
    ),
    "heldout": (
        "mirror {n}, the live books differ",
        "unconfirmed duplicate, {n} min late",
        "shadow table {id}, disputed by the main ledger",
    ),
}

_COPY_KEYS: Pools = {"train": ("source", "origin", "warning"), "heldout": ("provenance", "read_from")}
"""Where an answer says that it comes from a copy which the shop contradicts."""

_HOLES: Mapping[str, tuple[str | None, ...]] = {
    "train": ("", None, "n/a", "unknown", "..."),
    "heldout": ("-", "tbd", "???"),
}
"""What stands where a value is missing."""


def _pool(pools: Mapping[str, tuple[str, ...]], wording: Wording) -> tuple[str, ...]:
    return pools["train"] + pools["heldout"] if wording == "all" else pools[wording]


def _fill(template: str, dice: Dice, tool: str, message: str = "", code: int = 0) -> str:
    return template.format(
        tool=tool,
        message=message,
        code=code,
        n=dice.between(2, 9),
        s=dice.between(3, 60),
        ms=dice.between(8, 99) * 100,
        port=dice.between(100, 9999),
        id=dice.between(10000, 99999),
    )


def error_text(kind: FaultKind, seed: int, wording: Wording, tool: str) -> str:
    """What the model reads when a call fails outright.

    Args:
        kind: TIMEOUT, RATE_LIMIT, UNAVAILABLE, PERMISSION_DENIED or MALFORMED; the others are answers.
        seed: decides everything.
        wording: the pool.
        tool: the name that this harness shows.
    """
    dice = Dice(seed)
    tool = "".join(c for c in tool if c.isalnum() or c in "_-.")[:60]
    if kind is FaultKind.MALFORMED:
        return _fill(dice.pick(_pool(_MALFORMED, wording)), dice, tool)
    side: Wording = wording if wording != "all" else ("heldout" if dice.chance(1 / 3) else "train")
    message = _fill(dice.pick(_PARTS[kind][side]), dice, tool)
    return _fill(dice.pick(_SHAPES[side]), dice, tool, message, dice.pick(_CODES[kind][side]))


def missing_value(dice: Dice, wording: Wording) -> str | None:
    """What stands in for a value that was lost; ``""`` stands for leaving the entry out."""
    pools = _HOLES["train"] + _HOLES["heldout"] if wording == "all" else _HOLES[wording]
    return dice.pick(pools)


def missing_note(dice: Dice, wording: Wording) -> str:
    """The note that may come with a partial answer."""
    return _fill(dice.pick(_pool(_NOTES, wording)), dice, "")


def copy_note(dice: Dice, wording: Wording) -> tuple[str, str]:
    """Key and text by which an answer says that it comes from a copy, and that the shop's own system disagrees."""
    return dice.pick(_pool(_COPY_KEYS, wording)), _fill(dice.pick(_pool(_COPIES, wording)), dice, "")
