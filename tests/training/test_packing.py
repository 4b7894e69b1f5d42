"""Sharing a prompt changes the cost, not the numbers."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from livesim.training import attention  # noqa: E402
from livesim.training.packing import Packed, Row, bins, common_prefix, groups, lay, packed_tokens  # noqa: E402


def row(prompt: list[int], answer: list[int]) -> Row:
    ids = torch.tensor([*prompt, *answer])
    return Row(ids, torch.arange(len(ids)), torch.arange(len(prompt) - 1, len(ids) - 1))


def pack(rows: list[Row]) -> Packed:
    return lay(rows, groups(rows))


def test_branches_are_read_from_positions_alone() -> None:
    positions = torch.tensor([0, 1, 2, 3, 2, 3, 4, 0, 1, 0])
    found = [(b.pack, b.prefix, b.start, b.end) for b in attention.branches(positions)]
    assert found == [(0, 0, 0, 4), (0, 2, 4, 7), (7, 0, 7, 9), (9, 0, 9, 10)]


def test_a_branch_longer_than_its_pack_is_refused() -> None:
    with pytest.raises(ValueError, match="position 5 at token 2"):
        attention.branches(torch.tensor([0, 1, 5, 6]))


def test_shared_prompts_are_laid_down_once() -> None:
    prompt = list(range(100, 140))
    rows = [row(prompt, [1, 2, 3]), row([7] * 40, [4, 5]), row(prompt, [6, 7])]
    assert groups(rows) == [([0, 2], 39), ([1], 0)]
    assert packed_tokens(rows, [0, 2], 39) == 39 + 4 + 3
    packed = pack(rows)
    assert packed.ids.numel() == 39 + 4 + 3 + 42
    assert packed.positions.tolist() == [*range(43), 39, 40, 41, *range(42)]
    assert packed.labels.tolist() == [1, 2, 3, 6, 7, 4, 5]
    assert packed.origin.tolist() == [39, 40, 41, 124, 125, 82, 83]  # rows laid end to end: 43 + 42 + 42 tokens
    whole = torch.cat([r.ids for r in rows])
    assert whole[packed.origin + 1].tolist() == packed.labels.tolist()


def test_bins_keep_the_limit() -> None:
    assert bins([5, 9, 3, 3], 9) == [[1], [0, 2], [3]]
    assert bins([20], 9) == [[0]]


@pytest.fixture(scope="module")
def model():
    attention.register()
    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=97, hidden_size=32, intermediate_size=64, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=2, attn_implementation=attention.NAME,
    )  # fmt: skip
    return transformers.LlamaForCausalLM(config)


def gradients(model, batches: list[list[Row]]) -> tuple[float, torch.Tensor]:
    model.zero_grad()
    total = 0.0
    for rows in batches:
        packed = pack(rows)
        logits = model(
            input_ids=packed.ids[None], position_ids=packed.positions[None], logits_to_keep=packed.logits_at
        ).logits[0]
        loss = torch.nn.functional.cross_entropy(logits.float(), packed.labels, reduction="sum")
        loss.backward()
        total += loss.item()
    return total, torch.cat([p.grad.flatten() for p in model.parameters()])


def test_shared_and_unshared_rows_have_equal_loss_and_gradients(model) -> None:
    generator = torch.Generator().manual_seed(1)

    def draw(n: int) -> list[int]:
        return torch.randint(0, 97, (n,), generator=generator).tolist()

    prompts = [draw(50), draw(45)]
    rows = [row(prompts[i % 2], draw(5 + i)) for i in range(6)]
    shared_loss, shared = gradients(model, [rows])
    plain_loss, plain = gradients(model, [[r] for r in rows])
    assert shared_loss == pytest.approx(plain_loss, rel=1e-5)
    assert torch.nn.functional.cosine_similarity(shared, plain, dim=0) > 0.99999
    assert torch.allclose(shared, plain, rtol=1e-3, atol=1e-5)


def test_packed_attention_equals_stock_attention_row_by_row(model) -> None:
    stock = transformers.LlamaForCausalLM(
        transformers.LlamaConfig(**{**model.config.to_dict(), "attn_implementation": "eager"})
    )
    stock.load_state_dict(model.state_dict())
    rows = [row(list(range(40)), [1, 2, 3]), row(list(range(40)), [9, 8]), row([5] * 10, [4])]
    packed = pack(rows)
    with torch.no_grad():
        ours = model(
            input_ids=packed.ids[None], position_ids=packed.positions[None], logits_to_keep=packed.logits_at
        ).logits[0]
        theirs = torch.cat([stock(input_ids=r.ids[None]).logits[0, r.wanted] for r in rows])
    assert torch.allclose(ours, theirs, atol=1e-5)


def test_a_bundle_shares_what_its_rows_begin_with(model) -> None:
    system = [11] * 60
    rows = [row([*system, 1, 2], [3, 4]), row([*system, 5], [6]), row([*system, 1, 9], [7])]
    assert common_prefix(rows) == 60
    bundle = lay(rows, [([0, 1, 2], 60)])
    assert bundle.ids.numel() == 60 + 4 + 2 + 3
    assert bundle.ids[bundle.logits_at + 1].tolist() == bundle.labels.tolist() == [3, 4, 6, 7]
    whole = Row(bundle.ids, bundle.positions, bundle.logits_at)  # a bundle is a row like any other
    assert whole.key is None
    shared_loss, shared = gradients(model, [[whole]])
    plain_loss, plain = gradients(model, [[r] for r in rows])
    assert shared_loss == pytest.approx(plain_loss, rel=1e-5)
    assert torch.allclose(shared, plain, rtol=1e-3, atol=1e-5)
