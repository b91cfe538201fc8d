"""Threads share a batch of games, and a wrong number of them is refused."""

import gc
import threading

import pytest

from unspoken.envs import make_vec
from unspoken.envs.engine.threads import GAMES_PER_THREAD, Team, available_cores, choose_threads


def _threads() -> int:
    return sum(thread.name == "unspoken" for thread in threading.enumerate())


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_every_game_is_in_exactly_one_part(threads: int) -> None:
    seen: list[int] = []
    team = Team(threads, 100)
    team.run(lambda start, stop: seen.extend(range(start, stop)))
    team.close()
    assert sorted(seen) == list(range(100))


def test_an_error_in_any_thread_reaches_the_caller_and_the_team_still_works() -> None:
    team = Team(3, 9)

    def work(start: int, stop: int) -> None:
        if start == 6:
            raise ArithmeticError("in the last part")

    with pytest.raises(ArithmeticError, match="in the last part"):
        team.run(work)
    seen: list[int] = []
    team.run(lambda start, stop: seen.append(start))
    team.close()
    assert sorted(seen) == [0, 3, 6]


def test_a_batch_nobody_holds_lets_its_threads_go() -> None:
    gc.collect()
    before = _threads()
    vec = make_vec("syzygy-base-4p", 8, seed=0, threads=4)
    vec.reset()
    assert _threads() == before + 3
    ours = [thread for thread in threading.enumerate() if thread.name == "unspoken"]
    del vec
    gc.collect()
    for thread in ours[-3:]:
        thread.join(10)
    assert _threads() == before


def test_small_batches_use_one_thread_and_large_ones_at_most_one_a_core() -> None:
    assert choose_threads(None, GAMES_PER_THREAD) == 1
    assert choose_threads(None, 1000 * GAMES_PER_THREAD) == min(1000, available_cores())
    assert choose_threads(5, 3) == 3


@pytest.mark.parametrize("threads", [0, -1])
def test_fewer_than_one_thread_is_refused(threads: int) -> None:
    with pytest.raises(ValueError, match=rf"threads={threads}: must be 1 or more, or None"):
        choose_threads(threads, 10)


@pytest.mark.parametrize("threads", [1.0, "2", True])
def test_threads_must_be_an_integer(threads: object) -> None:
    with pytest.raises(TypeError, match="threads="):
        choose_threads(threads, 10)
