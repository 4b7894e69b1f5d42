"""verl's agent loop for a general prompt: one answer, no reward. Loaded in verl's workers."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from verl.experimental.agent_loop.agent_loop import AgentLoopBase, AgentLoopMetrics, AgentLoopOutput, register

from livesim.training.tokens import Conversation

NAME = "general"


@register(NAME)
class GeneralLoop(AgentLoopBase):  # type: ignore[misc]
    """Samples one answer; the teacher's view of it is the whole training signal, so the reward is 0."""

    async def run(self, sampling_params: dict[str, Any], **row: Any) -> AgentLoopOutput:
        """Answer the row's prompt."""
        talk = Conversation.start(self.tokenizer, [dict(m) for m in row["raw_prompt"]])
        out = await self.server_manager.generate(
            request_id=uuid4().hex,
            prompt_ids=list(talk.ids),
            sampling_params={**sampling_params, "max_tokens": int(self.rollout_config.response_length)},
        )
        talk.sampled(list(out.token_ids))
        ids, mask = talk.answer()
        return AgentLoopOutput(
            prompt_ids=talk.ids[: talk.prompt_tokens],
            response_ids=ids,
            response_mask=mask,
            response_logprobs=list(out.log_probs or [0.0] * len(ids)),
            reward_score=0.0,
            num_turns=1,
            metrics=AgentLoopMetrics(),
            extra_fields={**out.extra_fields, "reward_extra_info": {}, "turn_scores": [], "tool_rewards": []},
        )
