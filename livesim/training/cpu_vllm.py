"""vLLM-CPU worker extension: weight updates in place, although vLLM-CPU has packed its linear layers.

After loading, vLLM-CPU replaces every linear weight by a packed handler and leaves an empty parameter, so a plain
``load_weights`` has nothing to write into. vLLM's layer-wise reload creates the parameters again, loads and packs;
this class runs verl's own receive loop inside it. Selected by the config
(``rollout.engine_kwargs.vllm.worker_extension_cls``).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from verl.workers.rollout.vllm_rollout.utils import vLLMColocateWorkerExtension


def finish_reload(model: Any, model_config: Any) -> None:
    """End a layer-wise reload, and tie the head again.

    With tied embeddings the weights hold no ``lm_head.weight``: the reload would leave the head with its old weight
    and its old packed handler, without an error, and log-probabilities off by about 0.04.
    """
    from vllm.model_executor.model_loader.reload import finalize_layerwise_reload

    finalize_layerwise_reload(model, model_config)
    head = getattr(model, "lm_head", None)
    if getattr(model.config, "tie_word_embeddings", False) and head is not None:
        embedding = model.model.embed_tokens
        if head is not embedding:
            head.tie_weights(embedding)
            head.quant_method.process_weights_after_loading(head)


class CpuWorkerExtension(vLLMColocateWorkerExtension):  # type: ignore[misc]
    """verl's worker extension with a reload that reaches packed layers. LoRA updates are not handled."""

    def update_weights_from_ipc(
        self, peft_config: dict[str, Any] | None = None, base_sync_done: bool = False, use_shm: bool = False
    ) -> None:
        """Receive weights from the trainer and load them."""
        from verl.workers.rollout.vllm_rollout.bucketed_weight_transfer import BucketedWeightReceiver
        from vllm.model_executor.model_loader.reload import initialize_layerwise_reload

        model = self.model_runner.get_model()
        self.device: torch.device | None = self.device or torch.device("cpu")
        initialize_layerwise_reload(model)

        def on_bucket(weights: Sequence[tuple[str, torch.Tensor]], is_last: bool) -> None:
            # clone: the tensors are views of shared memory that the next bucket overwrites
            model.load_weights([(name, tensor.clone()) for name, tensor in weights])

        receiver = BucketedWeightReceiver(zmq_handle=self._get_zmq_handle(), device=self.device, use_shm=use_shm)
        receiver.receive_weights(on_bucket_received=on_bucket)
        finish_reload(model, self.model_runner.model_config)

    def reload_from_file(self, path: str) -> None:
        """The same reload from a safetensors file, for a test of ``finish_reload``."""
        from safetensors.torch import load_file
        from vllm.model_executor.model_loader.reload import initialize_layerwise_reload

        model = self.model_runner.get_model()
        initialize_layerwise_reload(model)
        model.load_weights(load_file(path).items())
        finish_reload(model, self.model_runner.model_config)
