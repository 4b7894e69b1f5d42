"""``LiveStreamEnv``: one session and one simulator behind Gymnasium's interface."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import gymnasium as gym
from gymnasium.error import ResetNeeded

from livesim.arguments import augment_config, check_counts, checked_options, drawn_variant, fault_config, whole
from livesim.errors import ConfigError, ScenarioError, unknown
from livesim.harness import shelf
from livesim.harness.augment import HSAConfig, Variant
from livesim.harness.codec import written
from livesim.harness.session import Outcome, OutcomeKind, Session
from livesim.harness.state import HarnessState
from livesim.midstream import edited
from livesim.observation import room_dict, room_view
from livesim.render import frame
from livesim.scenarios import library
from livesim.scenarios.edits import HarnessEdit
from livesim.scenarios.script import Scenario
from livesim.seeding import derive
from livesim.sight import Sight, serving
from livesim.simulator import Simulator
from livesim.spaces import TurnSpace, observation_space, room_numbers
from livesim.stamp import messages_json, stamp
from livesim.tally import ClockConfig, Ledger, count_tokens
from livesim.tools.faults import FaultConfig
from livesim.tools.toolbox import Toolbox
from livesim.types import End, RequestEnd, Turn
from livesim.world.serving import Serving, discipline
from livesim.world.viewers import ViewerSimulator
from rewards.judge import Judge
from rewards.recovery import outcome as recovery
from rewards.score import RewardConfig, Scores, score
from rewards.signals import CallRecord, Signals

Observation = dict[str, Any]
Info = dict[str, Any]
Viewers = str | Path | ViewerSimulator | Callable[[], ViewerSimulator] | None


class LiveStreamEnv(gym.Env[Observation, Turn]):
    """A live-shopping stream: viewers ask, the agent works its harness's skills and tools, and replies in public.

    ## Description
    The unit of work is a *request*: the comments of one window, merged. For each request the agent reads the harness
    (skills, tools, rules, limits) in a system prompt and the comments in a user message, loads at least one reply
    skill, calls tools, some of which fail, and speaks one reply. Time passes with every token, call and word;
    promotions end, viewers leave. The harness is part of the observation and may differ from episode to episode
    (``augment``).

    ## Action Space
    ``TurnSpace()``: one assistant turn. Either the raw completion text, with calls written as
    ``<tool_call>{"name":"...","arguments":{...}}</tool_call>`` and reasoning between ``<think>`` and ``</think>``, or
    an OpenAI-style assistant message (``content``, ``tool_calls``, ``reasoning_content``). Anything at all is legal:
    what cannot be read is answered by a message that says so. A message may carry ``usage``
    (``completion_tokens``, ``reasoning_tokens``); without it, tokens are counted as one for four characters.

    ## Observation Space
    ``Dict`` of four: ``messages`` and ``tools`` (JSON text in OpenAI form), ``harness`` (JSON text: name, content
    hashes of its parts, limits, shown names), ``room`` (``Dict`` of numbers: ``clock_s``, ``on_air``, ``items``,
    ``viewers``, ``comments``, ``rounds_left``). The same, parsed, is in ``info``. Nothing hidden is in either.

    ## Rewards
    0 until a request ends, then its weighted total (``rewards.score``): accuracy, effectiveness, tool rationality,
    skill selection and a reasoning-length term. The parts are in ``info["heads"]`` and ``info["reasons"]``, every key
    at the end of every request, failed ones too.

    ## Starting State
    ``reset(seed=s)`` draws scenario, viewers, faults and harness variant from named streams of ``s``; the same seed
    gives the same bytes in any process. Without a seed, one is drawn from the generator of the last one.
    ``options`` overrides for one episode: ``scenario``, ``harness``, ``augment``, ``harness_seed``, ``faults``, and
    ``request`` (int: begin with that request of the stream; earlier ones pass unanswered).

    ## Episode End
    Terminated: ``requests`` requests are closed (``info["end"] == "served"``), the scenario's horizon is reached
    (``"stream_over"``), or the platform cut the stream for severe breaches (``"cut"``). Truncated: ``max_turns``
    assistant turns were taken (``"step_budget"``). A request that is open then, or at the horizon, is closed and scored
    like any on which nothing was said: 0 in every head. Its ``request_end`` says that it was cut short (``"budget"``,
    ``"time"``), and its recovery is not graded.

    ## Information
    Always: ``messages``, ``tools``, ``harness``, ``room``, ``end``, ``request_id`` (of the open request),
    ``request_done``, ``new_messages`` (what the harness appended after the agent's turn), ``segment`` (``"tool"`` or
    ``"reply"``), ``outcome``, ``seed``, ``harness_seed``, ``scenario`` (name, hash), ``original``. When a request
    ends also ``heads``, ``reasons``, ``total``, ``request_end``, ``recovery`` (``"none"``: no fault hit it, else
    ``"recovered"``, ``"honest"``, ``"hallucinated"`` or ``"gave_up"``), ``closed_id`` and ``queue`` (how many comments
    were ``answered``, went ``stale``, are ``waiting``; ``mean_wait_s`` of the answered); ``messages``, ``tools`` and
    ``harness`` then belong to the next request, if there is one: operators may edit the harness in between.

    ## Arguments
    * ``scenario``: name, file or ``Scenario``; default: drawn. ``harness``: name, folder or ``HarnessState``.
    * ``augment``: None, the name of a preset (``"train"``, ``"heldout"``, ``"heldout:hook"`` ...) or an ``HSAConfig``.
    * ``viewers``: None, a name or file (docs/viewers.md), ``"module:Class"``, a factory, or a ``ViewerSimulator``.
    * ``faults``: None (the scenario's own), the name of a preset, or a ``FaultConfig``. ``toolbox``: tools of yours.
    * ``requests``: how many an episode holds, at least 1; None: until the stream is over.
    * ``reward``: a ``RewardConfig``. ``judge``: decides accuracy and effectiveness; default: rules.
    * ``max_rounds``: assistant turns per request, instead of the harness's own. ``max_turns``: per episode.
    * ``serve``: whom the host answers next: ``"oldest"``, ``"newest"``, ``"buyers"``, or a ``world.serving.Serving``.
    * ``clock``: a ``ClockConfig``. ``render_mode``: None or ``"ansi"``.

    ## Vectorisation
    ``gym.make_vec("LiveStream-v0", n, vectorization_mode="sync")`` works as it is. Async mode needs
    ``vector_kwargs={"shared_memory": False}``, since text has no shared-memory form. Observations of text come back
    as tuples.

    ## Version History
    * v0: first version.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012  as Gymnasium declares it

    def __init__(
        self,
        scenario: str | Path | Scenario | None = None,
        harness: str | Path | HarnessState = "default",
        augment: str | HSAConfig | None = None,
        viewers: Viewers = None,
        faults: str | FaultConfig | None = None,
        requests: int | None = 1,
        reward: RewardConfig | None = None,
        judge: Judge | None = None,
        max_rounds: int | None = None,
        max_turns: int | None = None,
        clock: ClockConfig | None = None,
        render_mode: str | None = None,
        toolbox: Toolbox | None = None,
        serve: str | Serving = "oldest",
    ) -> None:
        check_counts({"requests": requests, "max_rounds": max_rounds, "max_turns": max_turns})
        if render_mode is not None and render_mode not in self.metadata["render_modes"]:
            raise ConfigError(unknown("render_mode", render_mode, self.metadata["render_modes"]))
        self.render_mode = render_mode
        self._scenario = None if scenario is None else library.load(scenario)
        self._toolbox = toolbox or Toolbox()
        self._harness = shelf.load(harness, self._toolbox.specs)
        self._augment = augment_config(augment)
        self._world = partial(Simulator, viewers=viewers, toolbox=self._toolbox, serve=discipline(serve))
        self._faults, self._clock = fault_config(faults), clock or ClockConfig()
        self._requests, self._reward, self._judge = requests, reward or RewardConfig(), judge
        self._max_rounds, self._max_turns = max_rounds, max_turns
        self.signals: Signals | None = None
        self.scores: Scores | None = None
        self.variant = Variant(self._harness, (), True)
        self._simulator: Simulator | None = None
        self._session: Session | None = None
        self._ledger: Ledger | None = None
        self._end = End.RUNNING
        self._turns = self._closed = self._seed = self._harness_seed = self._edits = 0
        self._stamp = stamp(self._harness)
        self._scenario_stamp = {"name": "", "hash": ""}
        self.action_space = TurnSpace()
        self.observation_space = observation_space()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Observation, Info]:
        """Start an episode; see the class for ``options``.

        Raises:
            ConfigError: an unknown option, or a wrong value.
            ScenarioError: the scenario holds no request (or fewer than ``options["request"]``) under this seed.
        """
        super().reset(seed=seed)
        self.close()  # whatever is refused below, nothing of the last episode can be stepped on
        chosen: dict[str, Any] = checked_options(options)
        self._seed = int(self.np_random.integers(2**63)) if seed is None else seed
        scenario = self._scenario if chosen.get("scenario") is None else library.load(chosen["scenario"])
        scenario = library.sample(self._seed) if scenario is None else scenario
        self._harness_seed = whole("harness_seed", chosen.get("harness_seed"), derive(self._seed, "harness"))
        named = chosen.get("harness")
        state = self._harness if named is None else shelf.load(named, self._toolbox.specs)
        config = augment_config(chosen["augment"]) if "augment" in chosen else self._augment
        self._show(drawn_variant(state, config, self._harness_seed, self._max_rounds), 0)
        self._edited(scenario.edits)  # refused now, not midway
        faults = fault_config(chosen["faults"]) if chosen.get("faults") is not None else self._faults
        self._simulator = self._world(scenario, self._seed, faults=faults)
        self._scenario_stamp = {"name": scenario.name, "hash": scenario.hash}
        self._end, self._turns, self._closed, self.signals, self.scores = End.RUNNING, 0, 0, None, None
        first = whole("request", chosen.get("request"), 0)
        self._simulator.skip(first)
        if not self._open():
            raise ScenarioError(f"scenario {scenario.name!r} has no request number {first} under seed {self._seed}")
        return self._observation(), self._info()

    def step(self, action: Turn) -> tuple[Observation, float, bool, bool, Info]:
        """Take one assistant turn. Raises ResetNeeded before ``reset`` and after the episode's end."""
        simulator, session, ledger = self._parts(running=True)
        self._turns += 1
        told = len(session.messages)
        outcome = session.feed(action)
        tokens = count_tokens(action, written(action), outcome.thought)
        simulator.spend(tokens.turn / self._clock.tokens_per_s)
        ledger.thought(outcome.segment, tokens.thought)
        ledger.failed(outcome.bad_calls)
        if outcome.calls:
            results = [simulator.call(call) for call in outcome.calls]
            for call, result in zip(outcome.calls, results, strict=True):
                ledger.result(call, result)
            session.give(results)
        new = [message.as_dict() for message in session.messages[told + 1 :]]
        end = self._request_end(outcome)
        scores = None if end is None else self._close(outcome, end)
        info = self._info() | {"new_messages": new, "segment": str(outcome.segment), "outcome": str(outcome.kind)}
        if scores is not None and end is not None:
            info |= {
                "request_done": True,
                "heads": dict(scores.heads),
                "reasons": {name: list(lines) for name, lines in scores.reasons.items()},
                "total": float(scores.total),
                "request_end": str(end),
                "recovery": self._recovery(scores),
                "closed_id": ledger.request.id,
                "queue": simulator.queue._asdict(),
            }
        reward = 0.0 if scores is None else float(scores.total)
        truncated = self.end is End.STEP_BUDGET
        return self._observation(), reward, self.end is not End.RUNNING and not truncated, truncated, info

    def render(self) -> str | None:
        """The frame as text in mode ``"ansi"``, else None."""
        if self.render_mode != "ansi":
            if self.render_mode is None:
                gym.logger.warn("render() without a render_mode; make the env with render_mode='ansi'")
            return None
        if self._session is None or self._simulator is None:
            return ""
        view = room_view(self._simulator.stream)
        return frame(view, self._session.messages, self.scores, self._end)

    def close(self) -> None:
        """Forget the episode."""
        self._simulator = self._session = self._ledger = None

    @property
    def end(self) -> End:
        """Why the episode is over, or that it is running."""
        return self._end

    @property
    def clock_s(self) -> float:
        """Stream seconds since the start; 0 before the first reset."""
        return 0.0 if self._simulator is None else float(self._simulator.clock_s)

    @property
    def simulator(self) -> Simulator:
        """The world of this episode, for tests and reports. Raises ResetNeeded before the first reset."""
        if self._simulator is None:
            raise ResetNeeded("the episode has not begun; call reset")
        return self._simulator

    @property
    def calls(self) -> tuple[CallRecord, ...]:
        """Calls of the open request so far, hidden half included; for records, never for an agent."""
        return () if self._ledger is None else tuple(self._ledger.calls)

    def sight(self) -> Sight:
        """The hidden half of the open request, for sighted agents only. Raises ResetNeeded before the first reset."""
        simulator, session, ledger = self._parts()
        return Sight(
            request_id=ledger.request.id,
            needs=ledger.needs,
            harness=self.variant.state,
            skill_options=ledger.skill_options,
            calls=tuple(ledger.calls),
            skills_loaded=tuple(session.skills_loaded),
            truth=tuple(simulator.truth()),
            known=ledger.known,
            limits=ledger.limits,
            comments=ledger.comments,
            room=ledger.room,
            blocked=session.blocked,
            rounds_left=session.rounds_left,
        )

    def _parts(self, *, running: bool = False) -> tuple[Simulator, Session, Ledger]:
        if self._simulator is None or self._session is None or self._ledger is None:
            raise ResetNeeded("the episode has not begun; call reset")
        if running and self._end is not End.RUNNING:
            raise ResetNeeded("the episode is over; call reset")
        return self._simulator, self._session, self._ledger

    def _show(self, variant: Variant, edits: int) -> None:
        """Put a harness in force; ``edits`` of the scenario's are in it."""
        self.variant, self._edits, self._stamp = variant, edits, stamp(variant.state)

    def _edited(self, edits: Sequence[HarnessEdit]) -> HarnessState:
        return edited(self.variant.state, edits, variant=not self.variant.original, specs=self._toolbox.specs)

    def _recovery(self, scores: Scores) -> str:
        graded = {name: scores.heads[name] for name in ("accuracy", "effectiveness")}
        return "" if self.signals is None else str(recovery(self.signals, **graded))

    def _open(self) -> bool:
        """Open the next request; False when the stream holds no further one."""
        pending = self.simulator.next_request()
        if pending is None:
            return False
        room = room_view(self.simulator.stream)
        edits = self.simulator.edits
        if len(edits) > self._edits:
            self._show(dataclasses.replace(self.variant, state=self._edited(edits[self._edits :])), len(edits))
        state = self.variant.state
        self._session = Session(state, pending.request, room)
        intents = [need.intent for need in pending.needs]
        fitting = {skill for intent in intents for skill in state.strategies_for(intent)}
        self._ledger = Ledger(
            pending.request,
            pending.needs,
            room,
            state.limits,
            skill_options=[(need.intent, serving(state, need)) for need in pending.needs],
            strategy_options=[skill.id for skill in state.skills if skill.id in fitting],
        )
        return True

    def _request_end(self, outcome: Outcome) -> RequestEnd | None:
        """Why the open request ends with this turn, or None."""
        if outcome.kind is OutcomeKind.REPLY:
            return RequestEnd.REPLIED
        if outcome.kind is OutcomeKind.CLOSED:
            return outcome.end or RequestEnd.ROUNDS
        if self.simulator.over:
            return RequestEnd.TIME
        if self._max_turns is not None and self._turns >= self._max_turns:
            return RequestEnd.BUDGET
        return None

    def _close(self, outcome: Outcome, end: RequestEnd) -> Scores:
        """Score the open request, let the room hear it, and open the next one or end the episode."""
        simulator, session, ledger = self._parts()
        reply = outcome.reply if end is RequestEnd.REPLIED else None
        self.signals = ledger.signals(
            reply=reply,
            truth=simulator.truth(),
            end=end,
            skills_loaded=session.skills_loaded,
            breaches=simulator.check(reply) if reply is not None else (),
            blocked=session.blocked,
            unreadable=session.unreadable,
        )
        self.scores = scores = score(self.signals, self._reward, self._judge)
        if reply is None:
            simulator.close(str(end))
        else:
            lasts_s = len(reply.split()) / self._clock.words_per_s
            heads = scores.heads
            simulator.speak(reply, correct=heads["accuracy"], useful=heads["effectiveness"], lasts_s=lasts_s)
            simulator.spend(lasts_s)
        self._closed += 1
        if simulator.cut:
            self._end = End.CUT
        elif self._requests is not None and self._closed >= self._requests:
            self._end = End.SERVED
        elif self._max_turns is not None and self._turns >= self._max_turns:
            self._end = End.STEP_BUDGET
        elif simulator.over or not self._open():
            self._end = End.CUT if simulator.cut else End.STREAM_OVER
        return scores

    def _observation(self) -> Observation:
        simulator, session, ledger = self._parts()
        stream_now = simulator.stream
        room = room_numbers(
            clock_s=stream_now.clock_s,
            on_air=stream_now.on_air,
            items=len(ledger.room.items),
            viewers=stream_now.present,
            comments=len(ledger.request.comments),
            rounds_left=session.rounds_left,
        )
        return {
            "messages": messages_json(session.messages),
            "tools": self._stamp.tools_json,
            "harness": self._stamp.harness_json,
            "room": room,
        }

    def _info(self) -> Info:
        simulator, session, ledger = self._parts()
        return {
            "messages": [message.as_dict() for message in session.messages],
            "tools": self._stamp.tools,
            "harness": self._stamp.harness,
            "room": room_dict(room_view(simulator.stream)),
            "end": str(self._end),
            "request_id": ledger.request.id,
            "request_done": False,
            "new_messages": [],
            "segment": "",
            "outcome": "",
            "seed": self._seed,
            "harness_seed": self._harness_seed,
            "scenario": dict(self._scenario_stamp),
            "original": self.variant.original,
        }
