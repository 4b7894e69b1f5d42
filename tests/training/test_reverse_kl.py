"""The reverse KL of distillation against a plain float64 reference, and as verl calls it."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("verl")

pytestmark = [pytest.mark.train, pytest.mark.filterwarnings("ignore")]

VOCABULARY = 11


def logits(seed: int, rows: int = 5) -> torch.Tensor:
    return 2.0 * torch.randn(rows, VOCABULARY, dtype=torch.float64, generator=torch.Generator().manual_seed(seed))


def candidates(teacher: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    top = torch.log_softmax(teacher, -1).topk(k)
    return top.values, top.indices


def whole_kl(student: torch.Tensor, teacher: torch.Tensor) -> torch.Tensor:
    log_p, log_q = torch.log_softmax(student, -1), torch.log_softmax(teacher, -1)
    return (log_p.exp() * (log_p - log_q)).sum(-1)


def test_over_the_whole_vocabulary_it_is_the_reverse_kl_and_has_its_gradient() -> None:
    from livesim.training.reverse_kl import reverse_kl

    teacher = logits(1)
    ours, plain = logits(2).requires_grad_(), logits(2).requires_grad_()
    found = reverse_kl(ours, *candidates(teacher, VOCABULARY), least=-40.0)
    expected = whole_kl(plain, teacher)
    assert found.tolist() == pytest.approx(expected.tolist(), abs=1e-12)
    found.sum().backward()
    expected.sum().backward()
    assert torch.allclose(ours.grad, plain.grad, atol=1e-12)


@pytest.mark.parametrize("k", [1, 3, 8])
def test_over_candidates_it_counts_the_rest_as_one_token_and_bounds_the_whole_from_below(k: int) -> None:
    from livesim.training.reverse_kl import reverse_kl

    student, teacher = logits(3), logits(4)
    found = reverse_kl(student, *candidates(teacher, k))
    for row in range(len(student)):
        ids = teacher[row].argsort(descending=True)[:k].tolist()
        p, q = (torch.softmax(x[row], -1).tolist() for x in (student, teacher))
        expected = math.fsum(p[i] * math.log(p[i] / q[i]) for i in ids)
        rest_p, rest_q = 1 - math.fsum(p[i] for i in ids), 1 - math.fsum(q[i] for i in ids)
        expected += rest_p * math.log(rest_p / rest_q)
        assert found[row].item() == pytest.approx(expected, abs=1e-9)
    assert (found >= 0).all()
    assert (found <= whole_kl(student, teacher) + 1e-12).all()


def test_a_student_that_leaves_the_candidates_is_called_back() -> None:
    from livesim.training.reverse_kl import reverse_kl

    teacher = torch.tensor([[9.0, 8.0, *[0.0] * 9]])
    student = torch.tensor([[0.0, 0.0, 6.0, *[0.0] * 8]], requires_grad=True)  # nearly all its mass on token 2
    loss = reverse_kl(student, *candidates(teacher, 2)).sum()
    loss.backward()
    assert loss.item() > 4.0
    assert student.grad[0, 2] > 0.0  # a step against the gradient takes mass away from it
    assert student.grad.isfinite().all()


def test_equal_distributions_are_at_zero_with_zero_gradient() -> None:
    from livesim.training.reverse_kl import reverse_kl

    student = logits(5).float().requires_grad_()
    loss = reverse_kl(student, *candidates(student.detach(), 4))
    assert loss.abs().max() < 1e-6
    loss.sum().backward()
    assert student.grad.abs().max() < 1e-6


@pytest.mark.parametrize("mode", ["reverse_kl_topk", "forward_kl_topk"])
def test_verl_computes_the_loss_that_is_configured(mode: str) -> None:
    from verl.trainer.distillation import losses
    from verl.workers.config.distillation import DistillationLossConfig

    from livesim.training.reverse_kl import register

    register()
    settings = DistillationLossConfig(loss_mode=mode, topk=4, use_policy_gradient=False)
    assert settings.loss_settings.use_topk
    student, teacher = logits(6).float(), logits(7).float()
    log_q, ids = candidates(teacher, 4)
    ends = torch.tensor([0, len(student)])
    data = {
        "teacher_logprobs": torch.nested.nested_tensor_from_jagged(log_q, ends),
        "teacher_ids": torch.nested.nested_tensor_from_jagged(ids, ends),
    }
    found = losses.compute_topk_loss(
        SimpleNamespace(strategy="fsdp2"), SimpleNamespace(distillation_loss=settings), data, student[None], "thd"
    )
    log_p = torch.log_softmax(student, -1).gather(-1, ids).clamp_min(-10.0)
    forward = (log_q.exp() * (log_q - log_p)).sum(-1)
    rest_p, rest_q = (1 - x.exp().sum(-1) for x in (log_p, log_q))
    reverse = (log_p.exp() * (log_p - log_q)).sum(-1) + rest_p * (rest_p / rest_q).log()
    expected = reverse if mode == "reverse_kl_topk" else forward
    assert found["distillation_losses"][0].tolist() == pytest.approx(expected.tolist(), abs=1e-5)
    assert {"student_mass", "teacher_mass", "overlap_count"} <= found.keys()


@pytest.mark.parametrize("mode", ["reverse_kl_topk", "forward_kl_topk", "k1"])
def test_only_the_loss_with_a_ratio_reads_old_log_probabilities(mode: str) -> None:
    from tensordict import TensorDict
    from verl.trainer.distillation.losses import distillation_ppo_loss
    from verl.utils import tensordict_utils as tu
    from verl.workers.config import ActorConfig
    from verl.workers.config.distillation import DistillationLossConfig

    from livesim.training.reverse_kl import register

    register()
    tokens, prompts = torch.tensor([0, 5, 12]), torch.tensor([0, 2, 5])  # two rows, and their prompts
    answers = torch.tensor([0, 3, 7])

    def jagged(ends: torch.Tensor, seed: int = 1) -> torch.Tensor:
        values = torch.rand(int(ends[-1]), generator=torch.Generator().manual_seed(seed))
        return torch.nested.nested_tensor_from_jagged(values, ends)

    fields = {
        "prompts": jagged(prompts),
        "responses": jagged(answers),
        "response_mask": torch.nested.as_nested_tensor([torch.ones(3), torch.ones(4)], layout=torch.jagged),
        "teacher_logprobs": torch.nested.nested_tensor_from_jagged(-torch.rand(12, 1), tokens),
    }
    data = TensorDict(fields, batch_size=2)
    tu.assign_non_tensor(data, dp_size=1, batch_num_tokens=7, global_batch_size=2)
    names = ("log_probs", "distillation_losses", "student_mass", "teacher_mass")
    output = {name: jagged(tokens, seed) for seed, name in enumerate(names)}
    actor = ActorConfig(strategy="fsdp2", rollout_n=1, ppo_micro_batch_size_per_gpu=1)
    settings = DistillationLossConfig(loss_mode=mode, topk=4, use_policy_gradient=mode == "k1", use_task_rewards=False)
    given = (actor, SimpleNamespace(distillation_loss=settings), output, data)  # without any
    if mode == "k1":
        with pytest.raises(KeyError, match="old_log_probs"):
            distillation_ppo_loss(*given)
        return
    loss, _ = distillation_ppo_loss(*given)
    positions = [1, 2, 3, 7, 8, 9, 10]  # each predicts a token of an answer
    assert loss.item() == pytest.approx(output["distillation_losses"].values()[positions].mean().item())
