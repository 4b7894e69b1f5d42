"""verl's FSDP engine for a machine without accelerator: shared prompts, logits where needed, frozen embeddings.

Registered for device ``cpu`` when verl imports it (``model.external_lib``); CUDA runs keep verl's own engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from tensordict import TensorDict
from verl.utils import tensordict_utils as tu
from verl.workers.engine.base import EngineRegistry
from verl.workers.engine.fsdp import transformer_impl
from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithLMHead
from verl.workers.engine.utils import detach_tree, postprocess_batch_func

from livesim.training import attention, reverse_kl
from livesim.training.logprob import entropy, log_probs
from livesim.training.packing import Packed, Row, bins, groups, pack, packed_tokens

attention.register()
reverse_kl.register()
# verl keeps a model that only goes forward (the reference of the KL) in pinned memory, which needs an accelerator.
transformer_impl.CPUOffloadPolicy = lambda pin_memory: None


@EngineRegistry.register(model_type="language_model", backend=["fsdp", "fsdp2"], device=["cpu"])
class SharedPrefixEngine(FSDPEngineWithLMHead):  # type: ignore[misc]
    """One packed sequence per micro-batch; each prompt is computed once, each logit only where a loss needs it."""

    def _build_module(self) -> torch.nn.Module:
        module: torch.nn.Module = super()._build_module()
        # A tied embedding of 28M parameters costs a quarter of a step and learns next to nothing from short runs.
        module.get_input_embeddings().weight.requires_grad_(False)
        return module

    def _build_optimizer(self, module: torch.nn.Module) -> torch.optim.Optimizer:
        from verl.workers.config.optimizer import build_optimizer

        optimizer: torch.optim.Optimizer = build_optimizer(
            [p for p in module.parameters() if p.requires_grad], self.optimizer_config
        )
        return optimizer

    def forward_backward_batch(
        self, data: TensorDict, loss_function: Callable[..., Any] | None, forward_only: bool = False
    ) -> Any:
        """As in verl, but rows that share a prompt stay together and the token limit counts each prompt once."""
        tu.assign_non_tensor(data, sp_size=1, dp_size=1, batch_num_tokens=data["loss_mask"].sum().item())
        keep_output = tu.get_non_tensor_data(data=data, key="return_model_output", default=False)
        rows = rows_of(data)
        together = groups(rows)
        limit = int(tu.get_non_tensor_data(data=data, key="max_token_len_per_gpu", default=4096))
        sizes = [packed_tokens(rows, group, shared) for group, shared in together]
        parts = [[i for g in part for i in together[g][0]] for part in bins(sizes, limit)]
        outputs = []
        for indices in parts:
            micro_batch = tu.index_select_tensor_dict(data, indices)
            with torch.set_grad_enabled(not forward_only):
                loss, output = self.forward_step(micro_batch, loss_function, forward_only)
            if not forward_only:
                loss.backward()
                if not keep_output:
                    output.pop("model_output", None)
            outputs.append(output)
        tu.assign_non_tensor(data, use_dynamic_bsz=True)
        return postprocess_batch_func(output_lst=outputs, indices=parts, data=data)

    def forward_step(
        self, micro_batch: TensorDict, loss_function: Callable[..., Any] | None, forward_only: bool
    ) -> tuple[torch.Tensor, dict[str, Any]]:
        """One packed sequence forward; the loss, and what verl reports."""
        packed = pack(rows_of(micro_batch))
        dtype = self._autocast_dtype
        with torch.autocast("cpu", dtype=dtype, enabled=dtype != torch.float32):
            output = self.module(
                input_ids=packed.ids[None],
                attention_mask=None,
                position_ids=packed.positions[None],
                logits_to_keep=packed.logits_at,
                use_cache=False,
            )
            found = self._outputs(output.logits[0], packed, micro_batch, loss_function)
            loss, metrics = torch.tensor(1.0), {}
            if loss_function is not None:
                loss, metrics = loss_function(
                    model_output=found, data=micro_batch, dp_group=self.get_data_parallel_group()
                )
        return loss, {"model_output": detach_tree(found), "loss": loss.detach().item(), "metrics": metrics}

    def _outputs(
        self, logits: torch.Tensor, packed: Packed, data: TensorDict, loss_function: Callable[..., Any] | None
    ) -> dict[str, torch.Tensor]:
        """Per-token values as verl wants them: jagged over whole rows, zero where nothing was asked."""

        def flag(name: str) -> bool:
            return bool(tu.get_non_tensor_data(data=data, key=name, default=False))

        offsets = data["input_ids"].offsets()

        def spread(values: torch.Tensor) -> torch.Tensor:
            whole = values.new_zeros(int(offsets[-1])).index_copy(0, packed.origin, values)
            return torch.nested.nested_tensor_from_jagged(whole, offsets)

        temperature = tu.get_non_tensor_data(data=data, key="temperature", default=1.0)
        if float(temperature) != 1.0:
            logits = logits / float(temperature)
        found = {}
        if flag("distillation_use_topk"):
            ends = torch.tensor([0, packed.origin.numel()])
            teacher = {
                name: torch.nested.nested_tensor_from_jagged(data[name].values()[packed.origin], ends)
                for name in ("teacher_logprobs", "teacher_ids")
            }
            assert loss_function is not None
            for name, values in loss_function(student_logits=logits[None].float(), data=teacher).items():
                found[name] = spread(values[0])
        if not flag("distillation_only"):
            found["log_probs"] = spread(log_probs(logits, packed.labels))
        if flag("calculate_entropy"):
            found["entropy"] = spread(entropy(logits.detach()))  # a metric: no stage has an entropy bonus
        return found


def rows_of(data: TensorDict) -> list[Row]:
    """The rows of a jagged batch. A loss mask shorter than its row covers the row's end (verl's RL fields)."""
    rows = []
    for ids, positions, mask in zip(
        data["input_ids"].unbind(), data["position_ids"].unbind(), data["loss_mask"].unbind(), strict=True
    ):
        wanted = torch.nonzero(mask).flatten() + (ids.numel() - mask.numel() - 1)
        rows.append(Row(ids.cpu(), positions.cpu(), wanted[wanted >= 0].cpu()))
    return rows
