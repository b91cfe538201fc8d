"""Improve a trained team by search over all deals: unspoken improve RUN|CHECKPOINT OUT.

  unspoken train syzygy-trial-2p --folder runs/trial
  unspoken improve runs/trial better.safetensors --shakes 100
  unspoken evaluate syzygy-trial-2p --seats better.safetensors

Every single decision that wins more deals is changed, and then larger changes are tried. What the team plays
otherwise than its network is kept in the checkpoint, beside the weights. For Syzygy with at most 9 cards. The
same command leads to the same team, on the same kind of processor.
"""

import argparse
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from unspoken.agents import Agent, load_agent
from unspoken.agents.amendments import Amendments
from unspoken.agents.checkpoint import load_amended_policy, save_policy
from unspoken.agents.learned import LearnedAgent
from unspoken.train.deal_search import Candidates, DealSearch
from unspoken.train.deals import PolicyTable, all_deals, meet, views
from unspoken.train.text import percent

CLOSE = 1e-3
"""Logits that differ by less may change places on another processor: such a choice is written down."""

WRITTEN_EVERY = 10
"""Shakes between two writings of the file."""


def most_probable(agent: LearnedAgent, count: int) -> Candidates:
    """The ``count`` actions with the largest logits."""

    def choose(features: npt.NDArray[np.int8], mask: npt.NDArray[np.int8]) -> npt.NDArray[np.bool_]:
        logits = agent.logits(features, mask)
        place = logits.shape[1] - min(count, logits.shape[1])
        least = np.partition(logits, place, axis=1)[:, place, None]
        return logits >= least

    return choose


def adopt(table: PolicyTable, agent: Agent) -> None:
    """Let the team of ``table`` play as one of ``agent`` does, wherever that one arrives."""
    other = PolicyTable(table.game, agent)
    for met in meet(other, all_deals(table.game)):
        table.change(met.keys, other.actions(met.states))


def find_amendments(table: PolicyTable, network: LearnedAgent) -> Amendments:
    """What the team of ``table`` plays otherwise than ``network``, or nearly so, wherever it arrives."""
    found = [(np.zeros(0, np.uint64), np.zeros(0, np.uint8))]
    for met in meet(table, all_deals(table.game)):
        played = table.actions(met.states)
        logits = network.logits(*views(table.game, met.states))
        rows = np.arange(len(played))
        lead = logits[rows, played]
        logits[rows, played] = -np.inf
        amended = lead < logits.max(axis=1) + CLOSE
        found.append((met.keys[amended], played[amended].astype(np.uint8)))
    all_keys, actions = map(np.concatenate, zip(*found, strict=True))
    order = np.argsort(all_keys)
    return Amendments(all_keys[order], actions[order])


def improve(
    source: Path,
    out: Path,
    *,
    start: Agent | None = None,
    shakes: int = 100,
    from_turn: int = 0,
    tries: int = 4,
    seed: int = 0,
    report: Callable[[str, float], None] = lambda done, win_rate: None,
) -> float:
    """Improve the policy in ``source`` and write it to ``out``; returns the share of all deals it wins.

    It is written after the sweeps and now and then between the shakes, so that a long search can be broken
    off.

    Args:
        source: a checkpoint or a run. out: a ``.safetensors`` file.
        start: whose play to begin with, where it leads; the policy's own by default.
        shakes: number of larger changes tried (see ``DealSearch.shake``).
        from_turn: the first turn that is shaken; 0 is the first of the game.
        tries: actions tried in an observation: those that the network finds most probable.
        seed: of what is drawn.
        report: called with what has been done, and the share of all deals won.

    Raises:
        ValueError: an argument is not allowed, or the deals of the game cannot be listed.
        CheckpointError: there is no policy in ``source``.
    """
    if out.suffix != ".safetensors":
        raise ValueError(f"out={str(out)!r}: must end in .safetensors")
    for name, value, least in (("shakes", shakes, 0), ("tries", tries, 1), ("seed", seed, 0)):
        if value < least:
            raise ValueError(f"{name}={value}: must be {least} or more")
    policy, description, before = load_amended_policy(source)
    game = description.present_game()
    if game is None:
        raise ValueError(f"{str(source)!r}: a policy for other cards than those of this version")
    turns = game.config.n_turns
    if not 0 <= from_turn < turns - 1:
        raise ValueError(f"from_turn={from_turn}: must be from 0 to {turns - 2}")
    with torch.no_grad():
        for parameter in policy.parameters():
            parameter.copy_(parameter.to(torch.bfloat16))
    network = LearnedAgent(policy, description, "network")
    search = DealSearch(game, network, most_probable(network, tries), seed)
    adopt(search.table, start or LearnedAgent(policy, description, "amended", before))
    deals = len(search.deals)
    wins = first = search.wins()
    report("start", wins / deals)
    while True:
        search.sweep()
        wins, last = search.wins(), wins
        report("sweep", wins / deals)
        if wins == last:
            break
    improvement: dict[str, Any] = {
        "start": "checkpoint" if start is None else start.name,
        "from_turn": from_turn,
        "tries": tries,
        "seed": seed,
        "deals": deals,
        "wins_before": first,
    }
    improvements = [*description.training.get("improvements", []), improvement]
    described = replace(description, training={**description.training, "improvements": improvements})
    out.parent.mkdir(parents=True, exist_ok=True)

    def write(done: int) -> None:
        amendments = find_amendments(search.table, network)
        improvement.update(shakes=done, wins=wins, amendments=len(amendments.keys))
        save_policy(out, policy, described, amendments, torch.bfloat16)

    write(0)
    for number in range(1, shakes + 1):
        # From the first turns to the last: where the later ones have been brought to perfection already, a
        # change before them hardly ever looks better.
        turn = from_turn + (number - 1) * (turns - 1 - from_turn) // shakes
        search.shake(turn)
        wins = search.wins()
        report(f"shake {number} of {shakes}, from turn {turn}", wins / deals)
        if number % WRITTEN_EVERY == 0 or number == shakes:
            write(number)
    return wins / deals


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken improve``."""
    parser.add_argument("source", type=Path, metavar="RUN|CHECKPOINT", help="the team to improve")
    parser.add_argument("out", type=Path, metavar="OUT", help="the .safetensors file to write")
    parser.add_argument(
        "--start", metavar="AGENT", help="begin with the play of this agent (default: the team's own)"
    )
    parser.add_argument("--shakes", type=int, default=100, metavar="N", help="larger changes (default 100)")
    parser.add_argument(
        "--from-turn", type=int, default=0, metavar="T", help="the first turn that is shaken (default 0)"
    )
    parser.add_argument(
        "--tries", type=int, default=4, metavar="N", help="actions tried in an observation (default 4)"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="of what is drawn (default 0)")


def run(arguments: argparse.Namespace) -> None:
    """``unspoken improve``."""
    # Many short calls: handing them to several threads takes longer than the work.
    torch.set_num_threads(1)
    started = time.perf_counter()

    def report(done: str, win_rate: float) -> None:
        print(f"{time.perf_counter() - started:7.0f} s  {percent(win_rate):>7}  {done}", flush=True)

    win_rate = improve(
        arguments.source,
        arguments.out,
        start=None if arguments.start is None else load_agent(arguments.start),
        shakes=arguments.shakes,
        from_turn=arguments.from_turn,
        tries=arguments.tries,
        seed=arguments.seed,
        report=report,
    )
    print(f"{arguments.out}: wins {percent(win_rate)} of all deals")
