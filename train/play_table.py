"""One game between people and agents, with what each person is told of it."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from unspoken.agents.base import Agent, State
from unspoken.agents.human import HumanAgent
from unspoken.agents.words import Sight, Words, words_of
from unspoken.envs.engine.game import Game
from unspoken.envs.faces.display import scene_of
from unspoken.envs.faces.one_game import OneGame
from unspoken.train.replay_file import Recorder, Replay


class PlayTable:
    """A game and who plays it.

    The deal and all that agents draw follow from the seed, so that a game that is gone on with goes on as it
    would have.

    Attributes:
        one: the game. agents, names: who plays, by seat. people: the seats of people.
        logs: by seat of a person, what has happened as that person may know it; for ``None`` the same as
            nobody's in particular.
    """

    def __init__(
        self,
        game: Game,
        agents: Sequence[Agent],
        names: Sequence[str],
        seed: int,
        slot: int = 0,
        episode: int = 0,
    ) -> None:
        """
        Args:
            game: what is played. agents, names: who plays, by seat, and what they are called in a replay.
            seed, slot, episode: the deal (see ``OneGame.deal``).

        Raises:
            ValueError: an agent cannot play this game.
        """
        self.one = OneGame(game, "compact")
        self.agents = tuple(agents)
        self.names = tuple(names)
        self.people = [seat for seat, agent in enumerate(agents) if isinstance(agent, HumanAgent)]
        self.logs: dict[int | None, list[str]] = {viewer: [] for viewer in (*self.people, None)}
        self.seed = seed
        self.slot = slot
        self.episode = episode
        self._last_own = dict.fromkeys(self.people, 0)
        self._words: Words = words_of(game)
        self._together: dict[int, int] = {}
        self._recorder = Recorder(game, names, seed, slot, episode)
        self._memories: list[State] = [
            agent.reset(game, 1, _seed(seed, slot, episode, seat)) for seat, agent in enumerate(agents)
        ]
        self.one.deal(seed, slot, episode)
        self._seen = self._look()

    @property
    def game(self) -> Game:
        """What is played."""
        return self.one.game

    @property
    def actions(self) -> npt.NDArray[np.int64]:
        """``(n,)``: all actions so far."""
        return np.array([decision.action for decision in self._recorder.decisions], np.int64)

    def replay(self) -> Replay:
        """The game as it stands, to be saved."""
        return self._recorder.replay(self.one)

    def choose(self) -> int:
        """What the agent to act chooses.

        Raises:
            ValueError: something that is not allowed. Whatever the commands of a person raise.
        """
        one, seat = self.one, self.one.seat
        agent = self.agents[seat]
        if isinstance(agent, HumanAgent):
            agent.last_action = one.last_action
            agent.news = self._news(seat)
        features = one.features(seat, everything=agent.sees_state)[None]
        chosen, self._memories[seat] = agent.act(
            features, one.mask(seat)[None], np.array([seat], np.int8), self._memories[seat]
        )
        action = int(chosen[0])
        if not (0 <= action < one.n_actions and one.is_legal(action)):
            raise ValueError(f"agent {self.names[seat]!r} in seat {seat}: action {action} is illegal")
        return action

    def follow(self, actions: Sequence[int]) -> None:
        """Play what was played before; the agents remember what they remembered then."""
        for action in actions:
            if self._memories[self.one.seat] is not None:
                self.choose()
            self.play(action)

    def play(self, action: int) -> None:
        """Play a legal action, and tell it to the people."""
        seat = self.one.seat
        # Side by side: an interruption finds the game and its record alike.
        self._recorder.append(seat, action)
        self.one.play(action)
        before, self._seen = self._seen, self._look()
        self._tell(seat, action, before, self._seen)

    def _look(self) -> dict[int | None, Sight]:
        """What each person sees now, and for ``None`` what lies there."""
        return {viewer: self.sight(viewer) for viewer in (*self.people, None)}

    def _tell(
        self, seat: int, action: int, before: dict[int | None, Sight], after: dict[int | None, Sight]
    ) -> None:
        turned_up = before[None]
        together = self._words.together(turned_up)
        if together:
            self._together[seat] = action
        closed = together and self._words.all_chose(turned_up, after[None])
        for viewer, log in self.logs.items():
            old, new = before[viewer], after[viewer]
            if not together:
                log.append(self._words.did(old, new, turned_up, seat, action))
            elif closed:
                log += self._words.chose(old, self._together)
            if viewer == seat:
                self._last_own[seat] = len(log)
            log += self._words.consequences(old, new, turned_up)
        if closed:
            self._together = {}

    def sight(self, seat: int | None) -> Sight:
        """The game as a seat sees it now, or with all cards turned up for ``None``."""
        return Sight(self.one.game, scene_of(self.one, seat).kept())

    def _news(self, seat: int) -> list[str]:
        """What has happened since the last decision of a person."""
        return self.logs[seat][self._last_own[seat] :]

    def ending(self) -> str:
        """How the game ended, and what the cards really were."""
        text = self._words.ending(self.sight(None))
        if self.game.max_score > 1:
            text += f" Levels won: {self.one.score:.0f} of {self.game.max_score}, in {self.one.tries} tries."
        return text


def _seed(*deal_and_seat: int) -> int:
    """Of what the agent in a seat draws."""
    return int(np.random.default_rng(deal_and_seat).integers(2**63))
