"""``NoviceAgent``: a rule-bound host that follows what it noticed in the harness, and falls back on bad habits."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from agents.novice import speaking
from agents.novice.reading import Attention, Listing, Rule, body_rules, listed_skills, overlap, prompt_rules
from agents.toolschemas import read_schemas
from livesim.harness.codec import parse, render_call
from livesim.types import JsonValue, Role, Turn

TRIES = 3
"""Calls it makes of a tool that fails, when nothing tells it otherwise."""

_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9}
_LINK = re.compile(r"(?:link|item|no\.|number|#)\s*(\d+|" + "|".join(_NUMBERS) + r")\b", re.I)
_ADDRESS = re.compile(r"\b(?:call|address)\b[^.;]*?\b(?:viewers|them|everyone)\b (?:as |with )?[\"']?(\w+)", re.I)
_DENIED = re.compile(r"denied|permission|not allowed|forbidden|access|authori|rights", re.I)
_SAY = re.compile(r"(?:always )?(?:say|give|name|tell)\b", re.I)
_AI = re.compile(r"\b(?:ai|bot|robot|machine|human|real person|computer)\b", re.I)


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was made and its answer: None when the answer is no proper one."""

    tool: str
    arguments: Mapping[str, JsonValue]
    result: Mapping[str, JsonValue] | None
    text: str


class NoviceAgent:
    """A stand-in for a weak model, for showing harness evolution without one. No model: a fixed policy.

    It reads what a model would read: the lists and rules of the system prompt, the bodies of loaded skills, results
    and feedback. Its weaknesses are stated: it picks the skill and, unless a rule names it, the tool by the words
    that the comment shares with the description; it keeps a rule in mind by its place in the text (``reading.LEAD``)
    and forgets more of them the more there are (``reading.CAPACITY``); without a rule in mind it rambles, forgets
    the form of address, reads out the first field of an answer, calls a failing tool three times and makes up what
    it was not told. So an edit can help it, and too many edits harm it.

    Args:
        heed: chance that it takes notice of a rule at all, 0 to 1; a low one stands in for a model that clings to
            its habits whatever the harness says.
        name: for tables.
    """

    sighted = False

    def __init__(self, heed: float = 1.0, name: str = "novice") -> None:
        if not 0.0 <= heed <= 1.0:
            raise ValueError(f"heed must lie in [0, 1], got {heed}")
        self.heed = heed
        self.name = name
        self._seed = 0

    def reset(self, seed: int) -> None:
        """Draw from this seed what is kept in mind."""
        self._seed = seed

    def act(self, messages: Sequence[Mapping[str, str]], tools: Sequence[Mapping[str, JsonValue]]) -> Turn:
        """The next turn: load a skill, call a tool, or reply."""
        return _Mind(self._seed, self.heed, messages, tools).turn()


class _Mind:
    """One turn's worth of thinking: everything is read again from the messages."""

    def __init__(
        self,
        seed: int,
        heed: float,
        messages: Sequence[Mapping[str, str]],
        tools: Sequence[Mapping[str, JsonValue]],
    ) -> None:
        schemas = read_schemas(tools)
        self.loader = next((schema for schema in schemas if schema.loads_skills), None)
        self.tools = {schema.name: schema for schema in schemas if schema is not self.loader}
        system = messages[0]["content"] if messages else ""
        self.request = next((m["content"] for m in messages if m["role"] == Role.USER), "")
        lines = [line for line in self.request.splitlines() if ": " in line and not _is_room(line)]
        self.comment = lines[0].partition(": ")[2] if lines else ""
        self.bodies: list[str] = []
        self.calls: list[Call] = []
        self.feedback = ""
        self._walk(messages[2:])
        self.skills = listed_skills(system)
        self.rules = [*prompt_rules(system), *(rule for body in self.bodies for rule in body_rules(body))]
        self.kept = Attention(seed, self.request, heed).kept(self.rules)

    def turn(self) -> str:
        """A skill load until a body came back, then calls as long as they are worth it, then the reply."""
        if not self.bodies and self.loader is not None and self.skills:
            return render_call(self.loader.name, {next(iter(self.loader.kinds)): self._skill().name})
        tool = self._tool()
        if tool and self._call_again(tool):
            return render_call(tool, self._arguments(tool))
        return self._reply(tool)

    # -- reading -------------------------------------------------------------------------------------------------

    def _walk(self, messages: Sequence[Mapping[str, str]]) -> None:
        asked: list[tuple[str, Mapping[str, JsonValue]]] = []
        for message in messages:
            content = message["content"]
            if message["role"] == Role.ASSISTANT:
                asked = [(call.name, call.arguments) for call in parse(content).calls]
            elif not asked:
                self.feedback += f"{content}\n"
            elif self.loader is not None and asked[0][0] == self.loader.name:
                if content.startswith(("Error", "Not sent")):
                    self.feedback += f"{content}\n"
                else:
                    self.bodies.append(content)
            else:
                self.calls.append(Call(asked[0][0], asked[0][1], _answer(content), content))

    def _says(self, *patterns: str) -> Rule | None:
        """A rule kept in mind that holds all of the patterns."""
        return next((r for r in self.kept if all(re.search(p, r.text, re.I) for p in patterns)), None)

    # -- deciding ------------------------------------------------------------------------------------------------

    def _skill(self) -> Listing:
        """The skill whose description, or a rule that names it, shares most words with the comment."""

        def words(skill: Listing) -> str:
            hints = " ".join(rule.text for rule in self.kept if f'"{skill.name}"' in rule.text)
            return f"{skill.purpose} {skill.name} {hints}"

        return max(self.skills, key=lambda skill: overlap(self.comment, words(skill)))

    def _tool(self) -> str:
        """The tool that a rule names, or the one whose description is nearest to the comment; "" for none."""
        if self._says("no tool is needed"):
            return ""
        named = [
            (clause, name)
            for rule in self.kept
            for clause in re.split(r"(?<=[.;])\s+", rule.text)
            for name in re.findall(r'"([^"]+)"', clause)
            if name in self.tools
        ]
        if named:
            return str(max(named, key=lambda pair: overlap(self.comment, pair[0]))[1])
        best = max(self.tools, key=lambda name: overlap(self.comment, self.tools[name].description), default="")
        return best if best and overlap(self.comment, self.tools[best].description) else ""

    def _call_again(self, tool: str) -> bool:
        made = [call for call in self.calls if call.tool == tool]
        if any(call.result is not None for call in made):
            return False
        if made and _DENIED.search(made[-1].text) and self._says(r"not allowed|denied|permission"):
            return False
        return len(made) < (2 if self._says(r"once more|one more time|again once") else TRIES)

    def _arguments(self, tool: str) -> dict[str, JsonValue]:
        kinds, required = self.tools[tool].kinds, self.tools[tool].required
        arguments: dict[str, JsonValue] = {}
        integers = [name for name in kinds if kinds[name] == "integer"]
        for name, kind in kinds.items():
            if kind == "integer" and name == integers[0]:
                arguments[name] = self._link()
            elif kind == "integer" and name in required:
                sizes = [int(n) for n in re.findall(r"\b(\d{2,3})\b", self.comment)]
                arguments[name] = sizes[min(len(sizes) - 1, integers.index(name) - 1)] if sizes else 160
            elif kind == "integer" and (count := re.search(r"\b([2-9])\b(?! *(?:cm|kg))", self._bare())):
                arguments[name] = int(count.group(1))
            elif kind == "string" and name in required:
                order = re.search(r"\b[A-Z]\d+\b", self.comment)
                arguments[name] = order.group() if order else self._bare()[:80]
            elif kind == "string" and self._says("option", "asked") and (option := self._option()):
                arguments[name] = option
        return arguments

    def _link(self) -> int:
        """By number, by name when a rule says that names stand in the list, else the link on air."""
        if match := _LINK.search(self.comment):
            return _NUMBERS.get(match.group(1).lower(), 0) or int(match.group(1))
        if self._says(r"item list|by (?:its )?name|names? .*list"):
            for title, link in re.findall(r"(?:^|[;:] )([^;:=]+) = link (\d+)", self.request.split("\n")[0]):
                if title.strip().lower() in self.comment.lower():
                    return int(link)
        air = re.search(r"On air: link (\d+)", self.request)
        return int(air.group(1)) if air else 1

    def _bare(self) -> str:
        """The comment without its item."""
        return _LINK.sub("", self.comment).strip()

    def _option(self) -> str:
        if any("option" in call.text for call in self.calls if call.result is None):
            return ""  # it was refused
        if match := re.search(r"\b([\w-]+)/([\w-]+)\b", self.comment):
            return match.group()
        match = re.search(r"\b(XS|S|M|L|XL|XXL|\d{2,3}\w*) in (\w+)", self.comment)
        match = match or re.search(r"\b(\w+) (XS|S|M|L|XL|XXL)\b", self.comment)
        return " ".join(match.groups()) if match else ""

    # -- speaking ------------------------------------------------------------------------------------------------

    def _reply(self, tool: str) -> str:
        text = self._content(tool)
        limit = next((int(m.group(1)) for r in self.kept if (m := re.search(r"(\d+) words", r.text))), 0)
        if not limit and "words" not in self.feedback:
            text = f"{speaking.RAMBLE}: {text}"
        address = next((m.group(1) for r in self.kept if (m := _ADDRESS.search(r.text))), "")
        address = address or next(iter(re.findall(r'viewers "(\w+)"', self.feedback)), "")
        if not address:
            return f"{text[:1].upper()}{text[1:]}."
        return f"{address.capitalize()}, {text if text.startswith('I ') else text[:1].lower() + text[1:]}."

    def _content(self, tool: str) -> str:
        if not tool:
            return self._talk()
        mine = [call for call in self.calls if call.tool == tool]
        link = mine[-1].arguments.get(next(iter(mine[-1].arguments), "")) if mine else 0
        item = f"link {link}" if isinstance(link, int) and link else "this item"
        good = next((call.result for call in reversed(mine) if call.result is not None), None)
        if good is not None:
            wanted = [rule.text for rule in self.kept if _SAY.match(rule.text)]
            if said := speaking.told(good, wanted, self.comment, item):
                return said
        if self._says(r"can't check|cannot check|honest"):
            return speaking.HONEST
        if self._says(r"numbers? that a tool|name no number|only what (?:the|a) tool"):
            return speaking.UNKNOWING
        return speaking.guess(self.tools[tool].description, item)

    def _talk(self) -> str:
        if _AI.search(self.comment) and self._says(r"\bAI\b"):
            return speaking.AI
        if self._says("decline|can't help|reason"):
            return speaking.DECLINE
        if self._says("no tool is needed", "warm|friendly|greet|kind"):
            return speaking.WELCOME
        return speaking.LATER


def _answer(content: str) -> dict[str, JsonValue] | None:
    """A tool's answer when it is one: an object that names what it is about and reports no error."""
    try:
        value = json.loads(content)
    except ValueError:
        return None
    if not isinstance(value, dict) or {"error", "fault", "err_code", "ok", "success"} & set(value):
        return None
    return value if {"link", "order", "colleague"} & set(value) else None


def _is_room(line: str) -> bool:
    return line.startswith(("On air:", "Notice:", "You said:"))
