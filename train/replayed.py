"""Work on a GPU recorded once and replayed as a whole, which spares launching every operation from Python."""

from collections.abc import Callable, Sequence

import torch


class Replayed:
    """Work that reads and writes the same tensors every time, as a CUDA graph; on the CPU it is just done.

    The first call does the work as it stands, so that everything is compiled; the second records it.
    """

    def __init__(
        self, work: Callable[[], None], device: str, generators: Sequence[torch.Generator] = ()
    ) -> None:
        """``generators``: those that the work draws from, besides torch's own."""
        self._work = work
        self._device = device
        self._generators = generators
        self._graph: torch.cuda.CUDAGraph | None = None
        self._calls = 0

    def __call__(self) -> None:
        """Do the work."""
        self._calls += 1
        if self._device == "cpu" or self._calls == 1:
            self._work()
            return
        if self._graph is None:
            self._graph = torch.cuda.CUDAGraph()
            for generator in self._generators:
                self._graph.register_generator_state(generator)
            with torch.cuda.graph(self._graph):
                self._work()
        self._graph.replay()
