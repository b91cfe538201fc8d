"""Independent pieces of work as Ray tasks, on however many machines there are.

Ray is imported only when it is asked for. A piece that a dying worker takes with it is done again, by another
one; pieces must therefore give the same result every time.
"""

import argparse
import importlib
import pickle
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from typing import Any, TypeVar

AUTO = "auto"
"""The address that means: that in ``RAY_ADDRESS``, or else the cluster that ``ray start`` has started on this
machine, or else Ray on this machine alone, for as long as this process lives."""

MOST_RETRIES = 5
"""How often a piece is begun again after the death of its worker."""

Piece = TypeVar("Piece")
Result = TypeVar("Result")


def add_ray_argument(parser: argparse.ArgumentParser) -> None:
    """The argument ``--ray [ADDRESS]``."""
    parser.add_argument(
        "--ray",
        nargs="?",
        const=AUTO,
        metavar="ADDRESS",
        help="share the work on Ray: on the cluster at ADDRESS, or else on the one that runs, or else on the "
        "cores of this machine",
    )


def connect(address: str) -> Any:
    """The module ``ray``, connected to ``address`` unless this process is already connected.

    A line on standard error says what there is.

    Raises:
        ImportError: Ray is not installed. ValueError: there is no cluster at ``address``, or it refuses.
    """
    if "=" in address:
        raise ValueError(f"ray={address!r}: must be the address of a cluster; put --ray behind the settings")
    try:
        ray: Any = importlib.import_module("ray")
    except ModuleNotFoundError:
        raise ImportError("Ray is not installed: pip install 'unspoken[ray]'") from None
    if not ray.is_initialized():
        try:
            ray.init(
                None if address == AUTO else address,
                include_dashboard=False,
                log_to_driver=False,
                logging_level="error",
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise ValueError(
                f"ray={address!r}: no cluster that can be joined: {error} (ray stop forgets one that is gone)"
            ) from None
        print(f"Ray: machines with {' + '.join(map(str, _cores(ray)))} cores", file=sys.stderr)
    return ray


def map_on_ray(
    function: Callable[[Piece], Result],
    pieces: Sequence[Piece],
    address: str,
    *,
    cpus: int = 1,
    finished: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """``[function(piece) for piece in pieces]``, each of them a Ray task.

    Args:
        function: travels once to every machine, with all that it holds. The machines need the same packages.
        pieces: what the tasks are about; small.
        address: of a cluster, or ``"auto"``.
        cpus: cores that a task takes.
        finished: called with each result as it arrives, in any order.

    Raises:
        ImportError, ValueError: see ``connect``; or no machine has so many cores.
        OSError: a piece's worker died again and again.
        Exception: what ``function`` raised, first of all pieces. Those under way end by themselves, or with
            this process; no others are begun.
    """
    ray = connect(address)
    most = max(_cores(ray))
    if cpus > most:
        # Ray would wait for such a machine for ever.
        raise ValueError(f"threads={cpus}: no machine here has more than {most} cores for Ray")
    task = ray.remote(num_cpus=cpus, max_retries=MOST_RETRIES)(_do)
    # As bytes: the arrays of objects that tasks share in Ray's own way cannot be written to.
    shared = ray.put(ray.cloudpickle.dumps(function))
    waiting: dict[Any, int] = {}
    begun = 0
    results: dict[int, Result] = {}
    try:
        # Ray tells of dead workers on standard output, which is for results.
        with redirect_stdout(sys.stderr):
            while len(results) < len(pieces):
                # Not all at once: what has been handed over cannot be taken back. Ray's own way to do so,
                # ray.cancel, may end this process when the task ends at the same moment.
                room = 2 * sum(cores // cpus for cores in _cores(ray)) - len(waiting)
                for piece in pieces[begun : begun + max(room, 1 - len(waiting))]:
                    waiting[task.remote(shared, piece)] = begun
                    begun += 1
                (reference,), _ = ray.wait(list(waiting), num_returns=1)
                result = results[waiting.pop(reference)] = ray.get(reference)
                finished(result)
    except ray.exceptions.RayTaskError as error:
        raise error.cause from None
    except ray.exceptions.WorkerCrashedError:
        raise OSError(f"a piece of work was given up: {MOST_RETRIES + 1} workers died of it") from None
    return [results[number] for number in range(len(pieces))]


def _cores(ray: Any) -> list[int]:
    """Of each machine that is there now."""
    return [int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]]


def _do(function: bytes, piece: Any) -> Any:
    return pickle.loads(function)(piece)
