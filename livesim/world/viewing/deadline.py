"""``Worker``: runs somebody else's code in a thread of its own, to be given up after a wall-clock deadline."""

from __future__ import annotations

import ctypes
import queue
import threading
import weakref
from collections.abc import Callable
from typing import TypeVar, cast

T = TypeVar("T")
_Job = tuple[Callable[[], object], "queue.SimpleQueue[tuple[bool, object]]"]


class DeadlineError(Exception):
    """A call did not return in time; the thread it runs in was given up."""


class Worker:
    """One daemon thread for all calls of one plug-in, since what it opened may belong to a thread.

    The thread starts with the first call, ends when the worker is collected, and never keeps the process alive. After
    a deadline it is told to end at its next Python instruction; a call stuck in C code stays behind until the process
    ends. A copy of a worker, and a worker in a forked process, starts a thread of its own.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: threading.Thread | None = None
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()

    def call(self, function: Callable[[], T], deadline_s: float) -> T:
        """What ``function`` returns; what it raises is raised here.

        Args:
            function: runs in the thread.
            deadline_s: wall seconds.

        Raises:
            DeadlineError: it took longer.
        """
        if self._thread is None or not self._thread.is_alive():
            self._start()
        answer: queue.SimpleQueue[tuple[bool, object]] = queue.SimpleQueue()
        self._jobs.put((function, answer))
        try:
            done, value = answer.get(timeout=deadline_s)
        except queue.Empty:
            self._give_up()
            raise DeadlineError(f"no answer within {deadline_s:g} s") from None
        except BaseException:
            self._give_up()
            raise
        if not done:
            error = cast(BaseException, value)
            if isinstance(error, Exception):
                raise error
            # SystemExit and its kind would end the process of whoever uses the plug-in
            raise RuntimeError(f"{type(error).__name__}: {error}") from error
        return cast(T, value)

    @property
    def alive(self) -> bool:
        """A thread is running."""
        return self._thread is not None and self._thread.is_alive()

    def stop(self) -> None:
        """End the thread once it is idle."""
        self._jobs.put(None)
        self._thread = None

    def __reduce__(self) -> tuple[type[Worker], tuple[str]]:
        return Worker, (self._name,)

    def _start(self) -> None:
        self._jobs = queue.SimpleQueue()
        self._thread = threading.Thread(target=_work, args=(self._jobs,), name=self._name, daemon=True)
        self._thread.start()
        weakref.finalize(self, self._jobs.put, None)

    def _give_up(self) -> None:
        thread, self._thread = self._thread, None
        if thread is not None and thread.ident is not None:
            self._jobs.put(None)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(SystemExit))


def _work(jobs: queue.SimpleQueue[_Job | None]) -> None:
    while (job := jobs.get()) is not None:
        function, answer = job
        try:
            answer.put((True, function()))
        except BaseException as error:  # handed to the caller, who raises it
            answer.put((False, error))
        del job, function, answer
