"""Things held in memory for a while, the oldest given up first."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")
MOST = 10_000


class Kept(Generic[T]):
    """By id, for `seconds`, at most MOST of them; safe to use from several threads."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds, self._clock = seconds, clock
        self._held: OrderedDict[str, tuple[float, T]] = OrderedDict()
        self._lock = threading.Lock()

    def put(self, id: str, value: T) -> None:
        with self._lock:
            self._held.pop(id, None)
            self._held[id] = (self._clock(), value)
            while len(self._held) > MOST:
                self._held.popitem(last=False)

    def get(self, id: str) -> T | None:
        with self._lock:
            at, value = self._held.get(id, (0.0, None))
            if value is None or self._clock() - at > self._seconds:
                self._held.pop(id, None)
                return None
            return value

    def drop(self, which: Callable[[T], bool], id: str | None = None) -> int:
        """Forget what `which` names (of one id, when given); how many went."""
        with self._lock:
            gone = [k for k, (_, v) in self._held.items() if id in (None, k) and which(v)]
            for k in gone:
                del self._held[k]
            return len(gone)
