"""What a learned policy was trained to play, as plain data, and whether that is the game at hand."""

from dataclasses import dataclass, fields
from typing import Any

from unspoken.envs import make_game, syncro_v0, syzygy_v0, task_name
from unspoken.envs.engine.features import FeatureLayout
from unspoken.envs.engine.game import Game
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.progress import fingerprint

ENVIRONMENTS = {"syzygy": syzygy_v0.NAME, "syncro": syncro_v0.NAME}
"""Each game with the name and version of its environment."""

_NOT_OF_THE_RULES = ("reward", "first_level", "card_set")
"""Settings that change what a learner is told or where a game begins, not what is played, and the cards
themselves, which are told apart by their fingerprint."""

_SAID = {"cards": "the cards with fingerprint"}


@dataclass(frozen=True)
class GameIdentity:
    """A game as a policy depends on it.

    Attributes:
        task: the task's name. game: every setting of its rules; of Syncro's cards the fingerprint.
        environment: its version, such as ``"syzygy_v0"``.
        features: name, size and cardinality of each feature. n_actions: number of actions.
    """

    task: str
    game: dict[str, Any]
    environment: str
    features: list[str]
    n_actions: int

    @classmethod
    def of_game(cls, game: Game) -> "GameIdentity":
        """The identity of ``game``."""
        config = game.config
        names = (field.name for field in fields(config) if field.name not in _NOT_OF_THE_RULES)
        settings = {name: getattr(config, name) for name in names}
        if isinstance(config, SyncroConfig):
            settings["cards"] = fingerprint(config.card_set)
        return cls(
            task=task_name(config),
            game=settings,
            environment=ENVIRONMENTS[config.game],
            features=[
                f"{feature.name} {feature.size} {feature.cardinality}" for feature in game.layout.features
            ],
            n_actions=config.n_actions,
        )

    def check(self, game: Game) -> None:
        """Raise ``ValueError``, saying what differs, unless ``game`` is the game that was trained for."""
        other = GameIdentity.of_game(game)
        for what, own, asked in (
            ("environment", self.environment, other.environment),
            ("task", self.task, other.task),
            *(
                (_SAID.get(key, f"setting {key}"), self.game.get(key), value)
                for key, value in other.game.items()
            ),
            ("feature layout", self.features, other.features),
            ("number of actions", self.n_actions, other.n_actions),
        ):
            if own != asked:
                raise ValueError(
                    f"this policy was trained for {what} {own!r} and cannot play {what} {asked!r}"
                )

    def layout(self) -> FeatureLayout:
        """The features, without their meanings.

        Raises:
            ValueError: they are not a layout.
        """
        parts = []
        for feature in self.features:
            name, size, cardinality = feature.split()
            parts.append((name, int(size), int(cardinality), ""))
        return FeatureLayout(parts)

    def present_game(self) -> Game | None:
        """The game as this version has it; ``None`` if it has other cards than those of the package.

        Raises:
            ValueError, TypeError: there is no such game.
        """
        settings = dict(self.game)
        cards = settings.pop("cards", None)
        game = make_game(self.environment.rpartition("_")[0], **settings)
        return game if GameIdentity.of_game(game).game.get("cards") == cards else None
