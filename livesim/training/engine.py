"""verl's FSDP engine for a machine without accelerator: shared prompts, logits where needed, frozen embeddings.

Registered for device ``cpu`` when verl imports it (``model.external_lib``); CUDA runs keep verl's own engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from tensordict import TensorDict
from torch.distributed.fsdp import FSDPModule
from verl.utils import tensordict_utils as tu
from verl.workers.engine.base import EngineRegistry
from verl.workers.engine.fsdp import transformer_impl
from verl.workers.engine.fsdp.transformer_impl import FSDPEngineWithLMHead
from verl.workers.engine.utils import detach_tree, postprocess_batch_func

from livesim.training import attention, reverse_kl
from livesim.training.advantage import ADVANTAGES_ONLY
from livesim.training.logprob import entropy, log_probs
from livesim.training.packing import Packed, Row, bins, groups, lay, packed_tokens

attention.register()
reverse_kl.register()
# verl keeps a model that only goes forward (the reference of the KL) in pinned memory, which needs an accelerator.
transformer_impl.CPUOffloadPolicy = lambda pin_memory: None


@EngineRegistry.register(model_type="language_model", backend=["fsdp", "fsdp2"], device=["cpu"])
class SharedPrefixEngine(FSDPEngineWithLMHead):  # type: ignore[misc]
    """Rows of a micro-batch packed; each prompt is computed once, each logit only where a loss needs it.

    A row that teaches nothing (see ``idle``) is still read, so that loss and metrics are those of all rows, but has no
    backward pass: three quarters of what it would cost.
    """

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
                if loss.requires_grad:
                    loss.backward()
                if not keep_output:
                    output.pop("model_output", None)
            outputs.append(output)
        if not forward_only:
            self._end_backward()
        tu.assign_non_tensor(data, use_dynamic_bsz=True)
        return postprocess_batch_func(output_lst=outputs, indices=parts, data=data)

    def _end_backward(self) -> None:
        """Leave what a backward pass leaves, also where none followed the last forward pass.

        A mini-batch that teaches nothing has gradients of 0, not none: for the optimiser's moments, that nothing was
        found is news, too. And a parameter that stays gathered would not see what the optimiser makes of it.
        """
        for module in self.module.modules():
            if isinstance(module, FSDPModule):
                module.reshard()
        for group in self.optimizer.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    parameter.grad = torch.zeros_like(parameter)

    def forward_step(
        self, micro_batch: TensorDict, loss_function: Callable[..., Any] | None, forward_only: bool
    ) -> tuple[torch.Tensor, dict[str, Any]]:
        """A micro-batch forward; the loss, and what verl reports."""
        dtype = self._autocast_dtype
        origins, values = [], []
        with torch.autocast("cpu", dtype=dtype, enabled=dtype != torch.float32):
            for packed, teaches in sequences(micro_batch):
                with torch.set_grad_enabled(teaches and torch.is_grad_enabled()):
                    output = self.module(
                        input_ids=packed.ids[None],
                        attention_mask=None,
                        position_ids=packed.positions[None],
                        logits_to_keep=packed.logits_at,
                        use_cache=False,
                    )
                    values.append(self._values(output.logits[0], packed, micro_batch, loss_function))
                origins.append(packed.origin)
            found = _spread(values, origins, micro_batch["input_ids"].offsets())
            loss, metrics = torch.tensor(1.0), {}
            if loss_function is not None:
                loss, metrics = loss_function(
                    model_output=found, data=micro_batch, dp_group=self.get_data_parallel_group()
                )
        return loss, {"model_output": detach_tree(found), "loss": loss.detach().item(), "metrics": metrics}

    def _values(
        self, logits: torch.Tensor, packed: Packed, data: TensorDict, loss_function: Callable[..., Any] | None
    ) -> dict[str, torch.Tensor]:
        """What is asked of each of the ``logits``."""
        temperature = tu.get_non_tensor_data(data=data, key="temperature", default=1.0)
        if float(temperature) != 1.0:
            logits = logits / float(temperature)
        found: dict[str, torch.Tensor] = {}
        if _flag(data, "distillation_use_topk"):
            ends = torch.tensor([0, packed.origin.numel()])
            teacher = {
                name: torch.nested.nested_tensor_from_jagged(data[name].values()[packed.origin], ends)
                for name in ("teacher_logprobs", "teacher_ids")
            }
            assert loss_function is not None
            for name, values in loss_function(student_logits=logits[None].float(), data=teacher).items():
                found[name] = values[0]
        if not _flag(data, "distillation_only"):
            found["log_probs"] = log_probs(logits, packed.labels)
        if _flag(data, "calculate_entropy"):
            found["entropy"] = entropy(logits.detach())  # a metric: no stage has an entropy bonus
        return found


def _flag(data: TensorDict, name: str) -> bool:
    return bool(tu.get_non_tensor_data(data=data, key=name, default=False))


def _spread(
    values: Sequence[Mapping[str, torch.Tensor]], origins: Sequence[torch.Tensor], offsets: torch.Tensor
) -> dict[str, torch.Tensor]:
    """Per-token values as verl wants them: jagged over whole rows, zero where nothing was asked."""
    found, origin = {}, torch.cat([*origins])
    for name in values[0]:
        given = torch.cat([part[name] for part in values])
        whole = given.new_zeros(int(offsets[-1])).index_copy(0, origin, given)
        found[name] = torch.nested.nested_tensor_from_jagged(whole, offsets)
    return found


def sequences(data: TensorDict) -> Iterator[tuple[Packed, bool]]:
    """A micro-batch as at most two packed sequences: rows that teach nothing, then those that do (``True``)."""
    rows, left_out = rows_of(data), idle(data)
    plan = groups(rows)
    for teaches in (False, True):
        chosen = [(kept, shared) for group, shared in plan if (kept := [i for i in group if left_out[i] != teaches])]
        if chosen:
            yield lay(rows, chosen), teaches


def idle(data: TensorDict) -> list[bool]:
    """Which rows have no gradient: every advantage is 0, where the loss is made of nothing else.

    The trainer says so (``ADVANTAGES_ONLY``); where it does not, no row is idle.
    """
    if not _flag(data, ADVANTAGES_ONLY):
        return [False] * len(data)
    return [not bool(row.any()) for row in data["advantages"].unbind()]


def rows_of(data: TensorDict) -> list[Row]:
    """The rows of a jagged batch. A loss mask shorter than its row covers the row's end (verl's RL fields)."""
    rows = []
    for ids, positions, mask in zip(
        data["input_ids"].unbind(), data["position_ids"].unbind(), data["loss_mask"].unbind(), strict=True
    ):
        wanted = torch.nonzero(mask).flatten() + (ids.numel() - mask.numel() - 1)
        rows.append(Row(ids.cpu(), positions.cpu(), wanted[wanted >= 0].cpu()))
    return rows
