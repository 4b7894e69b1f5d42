"""Rows that teach nothing have no backward pass, and the update, its loss and its metrics are those of all rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

for module in ("verl", "transformers"):
    pytest.importorskip(module)

import torch  # noqa: E402
from omegaconf import OmegaConf  # noqa: E402
from tensordict import TensorDict  # noqa: E402

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]

ADVANTAGES = (0.0, 1.5, 0.0, -0.7, 0.0, 0.0, 0.0, 0.4)
"""Of eight rows under two prompts; each micro-batch of four rows has some that teach."""


@pytest.fixture(autouse=True)
def one_process(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from verl.utils import fsdp_utils

    monkeypatch.setattr(fsdp_utils, "get_device_id", lambda: "cpu")  # whichever platform verl was loaded with
    torch.distributed.init_process_group("gloo", store=torch.distributed.HashStore(), rank=0, world_size=1)
    yield
    torch.distributed.destroy_process_group()


def engine() -> Any:
    """The engine as verl sets it up, around a tiny model."""
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard
    from transformers import LlamaConfig, LlamaForCausalLM

    from livesim.training import attention
    from livesim.training.engine import SharedPrefixEngine

    torch.manual_seed(0)
    module = LlamaForCausalLM(
        LlamaConfig(
            vocab_size=97, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
            num_key_value_heads=2, attn_implementation=attention.NAME,
        )
    )  # fmt: skip
    module.get_input_embeddings().weight.requires_grad_(False)
    mesh = init_device_mesh("cpu", (1,))
    for part in (*module.model.layers, module):
        fully_shard(part, mesh=mesh, reshard_after_forward=False)
    made = object.__new__(SharedPrefixEngine)
    made.module = module
    learning = [p for p in module.parameters() if p.requires_grad]
    made.optimizer = torch.optim.AdamW(learning, lr=1e-2, weight_decay=0.1, fused=True)
    made.optimizer_config = SimpleNamespace(clip_grad=1.0)
    made.scaler, made._qat_enabled, made._autocast_dtype = None, False, torch.float32
    made.ulysses_device_mesh, made.ulysses_sequence_parallel_size = None, 1
    return made


def batch(advantages: tuple[float, ...], *, only: bool, seed: int = 1) -> TensorDict:
    """A mini-batch as the trainer sends it; the first half of an answer has its advantage, the second half of it."""
    from verl.utils import tensordict_utils as tu

    generator = torch.Generator().manual_seed(seed)
    lengths = [5 + 2 * i for i in range(len(advantages))]
    prompts = [torch.randint(0, 97, (n,), generator=generator) for n in (50, 45)]
    rows: dict[str, list[torch.Tensor]] = {}
    for i, (length, advantage) in enumerate(zip(lengths, advantages, strict=True)):
        prompt, answer = prompts[i % 2], torch.randint(0, 97, (length,), generator=generator)
        mask = torch.ones(length, dtype=torch.int64)
        mask[2] = 0  # the environment's word
        each = {
            "input_ids": torch.cat([prompt, answer]),
            "position_ids": torch.arange(prompt.numel() + length),
            "prompts": prompt,
            "responses": answer,
            "response_mask": mask,
            "loss_mask": mask,
            "old_log_probs": -4.6 + 0.3 * torch.randn(length, generator=generator),
            "ref_log_prob": -4.6 + 0.3 * torch.randn(length, generator=generator),
            "advantages": torch.where(torch.arange(length) < length // 2, 1.0, 0.5) * advantage * mask,
        }
        for name, value in each.items():
            rows.setdefault(name, []).append(value)
    nested = {name: torch.nested.as_nested_tensor(values, layout=torch.jagged) for name, values in rows.items()}
    data = TensorDict(nested, batch_size=len(advantages))
    flags = {"advantages_only": True} if only else {}
    tu.assign_non_tensor(
        data, global_batch_size=len(advantages), max_token_len_per_gpu=150, calculate_entropy=True, **flags
    )
    return data


def loss(ratio: str, *, kl: bool = False) -> Callable[..., Any]:
    from verl.workers.config import ActorConfig, PolicyLossConfig
    from verl.workers.utils.losses import ppo_loss

    config = ActorConfig(
        strategy="fsdp2", rollout_n=4, ppo_micro_batch_size_per_gpu=1, clip_ratio_low=0.2, clip_ratio_high=0.2,
        loss_agg_mode="seq-mean-token-mean" if ratio == "gspo" else "token-mean",
        policy_loss=PolicyLossConfig(loss_mode="gspo" if ratio == "gspo" else "vanilla"),
        use_kl_loss=kl, kl_loss_coef=0.0,
    )  # fmt: skip
    return partial(ppo_loss, config=config)


class Count:
    """How many tokens went through the model with and without a gradient."""

    def __init__(self, module: torch.nn.Module) -> None:
        self.learnt = self.read = 0
        module.register_forward_pre_hook(self, with_kwargs=True)

    def __call__(self, module: object, args: object, kwargs: dict[str, Any]) -> None:
        tokens = kwargs["input_ids"].numel()
        self.learnt += tokens * torch.is_grad_enabled()
        self.read += tokens * (not torch.is_grad_enabled())


def state(made: Any) -> list[torch.Tensor]:
    """Gradients, weights and moments."""
    found = []
    for parameter in made.optimizer.param_groups[0]["params"]:
        moments = made.optimizer.state[parameter]
        found += [parameter.grad, parameter.detach(), moments["exp_avg"], moments["exp_avg_sq"]]
    return [tensor.full_tensor().clone() for tensor in found]


def plain(metrics: dict[str, Any]) -> dict[str, Any]:
    return {name: getattr(value, "values", value) for name, value in metrics.items()}


@pytest.mark.parametrize("ratio", ["gspo", "ppo"])
@pytest.mark.parametrize("kl", [False, True])
def test_the_update_its_loss_and_its_metrics_are_those_of_all_rows(ratio: str, kl: bool) -> None:
    found = {}
    for only in (False, True):
        made = engine()
        count = Count(made.module)
        for seed in (1, 2):
            out = made.train_batch(batch(ADVANTAGES, only=only, seed=seed), loss(ratio, kl=kl))
        found[only] = state(made), out["loss"], plain(out["metrics"])
        assert (count.read > count.learnt > 0) if only else (count.read == 0)
    (state_a, loss_a, metrics_a), (state_b, loss_b, metrics_b) = found[False], found[True]
    assert len(loss_a) == len(loss_b) > 1  # several micro-batches
    assert loss_b == pytest.approx(loss_a, rel=1e-6)
    assert metrics_a.keys() == metrics_b.keys() >= {"actor/entropy_loss", "actor/ppo_kl", "actor/pg_clipfrac"}
    for name, value in metrics_a.items():
        assert metrics_b[name] == pytest.approx(value, rel=1e-5), name
    for one, other in zip(state_a, state_b, strict=True):
        assert torch.allclose(one, other, rtol=1e-5, atol=1e-7)


def test_a_mini_batch_that_teaches_nothing_is_a_step_with_gradients_of_zero() -> None:
    found = {}
    for only in (False, True):
        made = engine()
        for advantages in (ADVANTAGES, (0.0,) * 8, (0.0,) * 8, ADVANTAGES):
            out = made.train_batch(batch(advantages, only=only), loss("gspo"))
            if not any(advantages):
                assert out["metrics"]["grad_norm"] == 0.0
                assert out["loss"] == [0.0] * len(out["loss"])
        found[only] = state(made)
    # The last step saw the weights that the moments of the first one had moved on in between.
    for one, other in zip(found[False], found[True], strict=True):
        assert torch.allclose(one, other, rtol=1e-5, atol=1e-7)


def test_no_row_is_left_out_where_the_loss_has_other_terms() -> None:
    from livesim.training.engine import idle

    assert idle(batch(ADVANTAGES, only=False)) == [False] * 8
    assert idle(batch(ADVANTAGES, only=True)) == [True, False, True, False, True, True, True, False]


@pytest.mark.parametrize(
    ("settings", "only"),
    [
        ({"use_kl_loss": False, "kl_loss_coef": 0.001}, True),
        ({"use_kl_loss": True, "kl_loss_coef": 0.0}, True),  # only measured
        ({"use_kl_loss": True, "kl_loss_coef": 0.001}, False),
        ({"entropy_coeff": 0.01}, False),
    ],
)
def test_the_trainer_says_whether_the_loss_has_other_terms(
    settings: dict[str, object], only: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from verl.trainer.ppo.v1.trainer_sync import PPOTrainerSync

    from livesim.training.trainer import SegmentGdpoTrainer

    monkeypatch.setattr(PPOTrainerSync, "_update_actor", lambda self, batch, metrics: batch)
    actor = {"use_kl_loss": False, "kl_loss_coef": 0.0, "entropy_coeff": 0.0, **settings}
    trainer = object.__new__(SegmentGdpoTrainer)
    trainer.config = OmegaConf.create({"actor_rollout_ref": {"actor": actor}})
    sent = trainer._update_actor(SimpleNamespace(extra_info={}), {})
    assert sent.extra_info == {"advantages_only": only}
