"""verl's agent loop over the environment: tokens in, tokens out, heads at the end. Loaded in verl's workers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput, register

from livesim.env import LiveStreamEnv
from livesim.harness.augment import HSAConfig
from livesim.training.advantage import Mark
from livesim.training.tokens import Conversation
from rewards.score import HEADS

NAME = "live_stream"
LENGTHS = ("length_tool", "length_reply")
HEAD_NAMES = (*HEADS, *LENGTHS)
"""Keys of ``reward_extra_info``, all at least 0 and better when more: four heads, then brevity of each segment."""

_LEAST_TURN_TOKENS = 8  # no turn is begun with less room


@register(NAME)
class LiveStreamLoop(AgentLoopBase):  # type: ignore[misc]
    """One request of a stream, played by the policy.

    A row's ``extra_info`` names the episode: ``seed``, ``scenario``, ``harness``, ``augment`` (JSON), ``harness_seed``,
    ``faults``. All members of a group get the same row, so they share viewers, faults and harness variant.

    Args:
        turn_tokens: most tokens of one turn.
        deadline_s: wall-clock seconds for an episode; one that takes longer counts as failed, not as scored 0.
        kwargs: verl's own.
    """

    def __init__(self, *, turn_tokens: int = 96, deadline_s: float = 300.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.turn_tokens = turn_tokens
        self.deadline_s = deadline_s

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        """Play the row's episode; an episode that broke down is marked, so that the trainer leaves it out."""
        episode = dict(row["extra_info"])
        play = Playback(self.tokenizer, episode)
        try:
            await asyncio.wait_for(self._play(play, dict(sampling_params)), self.deadline_s)
        except Exception as error:
            logging.getLogger(__name__).exception("episode %s broke down", play.id)
            play.broken = f"{type(error).__name__}: {error}"
        return play.output()

    async def _play(self, play: Playback, sampling: dict[str, Any]) -> None:
        room = int(self.rollout_config.response_length)
        if len(play.talk.ids) > int(self.rollout_config.prompt_length):
            raise ValueError(
                f"prompt of {len(play.talk.ids)} tokens, data.max_prompt_length is {self.rollout_config.prompt_length}"
            )
        request_id = uuid4().hex  # one id for all turns: same replica, cached prefix
        while not play.done:
            left = room - (len(play.talk.ids) - play.talk.prompt_tokens)
            if left < _LEAST_TURN_TOKENS:
                break  # the policy talked itself out of room: heads stay 0
            began = time.perf_counter()
            out = await self.server_manager.generate(
                request_id=request_id,
                prompt_ids=list(play.talk.ids),
                sampling_params={**sampling, "max_tokens": min(self.turn_tokens, left)},
            )
            play.generate_s += time.perf_counter() - began
            play.turn(list(out.token_ids), out.log_probs, out.extra_fields, room)


class Playback:
    """An episode under way: the env, the conversation, and marks and log-probabilities of every answer token."""

    def __init__(self, tokenizer: Any, episode: Mapping[str, Any]) -> None:
        options = {k: episode[k] for k in ("scenario", "harness", "harness_seed", "faults") if episode.get(k)}
        if episode.get("augment"):
            options["augment"] = HSAConfig.model_validate_json(episode["augment"])
        self.id = f"seed {episode['seed']}, harness seed {episode.get('harness_seed')}"
        self.env = LiveStreamEnv(requests=1)
        began = time.perf_counter()
        _, info = self.env.reset(seed=int(episode["seed"]), options=options)
        self.env_s = time.perf_counter() - began
        self.talk = Conversation.start(tokenizer, [dict(m) for m in info["messages"]])
        self.marks: list[int] = []
        self.log_probs: list[float] = []
        self.heads = dict.fromkeys(HEAD_NAMES, 0.0)
        self.total = 0.0
        self.versions: dict[str, Any] = {}
        self.turns = 0
        self.generate_s = 0.0
        self.done = False
        self.original = bool(info.get("original", True))
        self.broken = ""

    def turn(self, ids: list[int], log_probs: list[float] | None, fields: Mapping[str, Any], room: int) -> None:
        """Append what was sampled, let the environment answer, append its words.

        Raises:
            ValueError: not every sampled token has a log-probability; as 0 it would count as certain.
        """
        if log_probs is None or len(log_probs) != len(ids):
            raise ValueError(f"{len(ids)} tokens came with {len(log_probs or [])} log-probabilities")
        first = self.versions.get("min_global_steps", fields.get("min_global_steps"))
        self.versions = {"min_global_steps": first, "max_global_steps": fields.get("max_global_steps")}
        text = self.talk.sampled(ids)
        began = time.perf_counter()
        _, _, terminated, truncated, info = self.env.step(text)
        self.env_s += time.perf_counter() - began
        self.turns += 1
        mark = {"tool": Mark.TOOL, "reply": Mark.REPLY}.get(info["segment"], Mark.BOTH)
        self.marks += [mark.code] * len(ids)
        self.log_probs += log_probs
        self.done = terminated or truncated or bool(info["request_done"])
        if info["request_done"]:
            self.heads.update({name: float(info["heads"][name]) for name in HEADS})
            if self.env.scores is not None:
                length = self.env.scores.length
                self.heads.update(length_tool=1.0 + length.tool, length_reply=1.0 + length.reply)
            self.total = float(info["total"])
        if not self.done:
            added = self.talk.heard(info["new_messages"])
            over = len(self.talk.ids) - self.talk.prompt_tokens - room
            if over >= 0:  # what the environment said no longer fits: cut it away, the episode ends here
                del self.talk.ids[-len(added) :], self.talk.mask[-len(added) :]
                self.done = True
                return
            self.marks += [Mark.OTHER.code] * len(added)
            self.log_probs += [0.0] * len(added)

    def output(self) -> AgentLoopOutput:
        """In verl's form. A broken episode has no trained token and ``valid`` 0."""
        ids, mask = self.talk.answer()
        marks, log_probs = self.marks, self.log_probs
        if self.broken or not ids:
            ids, mask, marks, log_probs = [self.talk.tokenizer.eos_token_id], [0], [Mark.OTHER.code], [0.0]
        valid = not self.broken and any(mask)
        return AgentLoopOutput(
            prompt_ids=self.talk.ids[: self.talk.prompt_tokens],
            response_ids=ids,
            response_mask=mask,
            response_logprobs=log_probs,
            reward_score=self.total,
            num_turns=self.turns,
            metrics=AgentLoopMetrics(generate_sequences=self.generate_s),
            extra_fields={
                "min_global_steps": self.versions.get("min_global_steps", 0) or 0,
                "max_global_steps": self.versions.get("max_global_steps", 0) or 0,
                "marks": marks,
                "env_s": self.env_s,
                "reward_extra_info": {
                    **self.heads,
                    "total": self.total,
                    "valid": float(valid),
                    "original": float(self.original),
                },
                "episode": self.id,
                "turn_scores": [],
                "tool_rewards": [],
            },
        )
