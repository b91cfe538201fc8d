"""What can be set for a training run: YAML files in ``configs/``, changed by key=value."""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from difflib import get_close_matches
from glob import glob, has_magic
from importlib import resources
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from unspoken.envs import task_config
from unspoken.envs.tasks import GAMES, TASKS
from unspoken.train.text import parse_options


class Strict(BaseModel):
    """Settings that cannot change and know all their keys."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)


class Schedule(Strict):
    """A number that goes from ``start`` to ``end`` in a straight line, over the first ``until`` of the run.

    A plain number in a file or on the command line is a constant.
    """

    start: float = Field(ge=0.0)
    end: float = Field(ge=0.0)
    until: float = Field(default=1.0, gt=0.0, le=1.0)

    @model_validator(mode="before")
    @classmethod
    def _constant(cls, given: Any) -> Any:
        if isinstance(given, (int, float, str)):
            return {"start": given, "end": given}
        return given

    def at(self, progress: float) -> float:
        """The value when a fraction ``progress`` of the run is done."""
        return self.start + (self.end - self.start) * min(progress / self.until, 1.0)


class TrainConfig(Strict):
    """A training run. A decision is one seat's action in one game; ``total_steps`` and all rates count
    decisions.

    Attributes:
        task: a task name, or ``"syzygy"`` with its settings in ``game``.
        game: settings of the game that the task's name leaves open, such as ``{"emotions": 2}``.
        seed: of the deals, the network and the draws. Evaluations use other deals.
        total_steps: decisions to train on, rounded up to whole updates; the schedules run over them.
        num_envs: games side by side. rollout_steps: decisions in each of them between two updates.
        epochs: times an update goes through its decisions. minibatches: gradient steps each time.
        learning_rate, entropy, shaping: schedules of Adam's rate, of the weight of the policy's entropy, and
            of the weight of the change of potential (divided by its largest value) that is added to the
            reward.
        gae_lambda: of the advantage estimate; the discount is 1. clip: how far a probability may move in an
            update.
        value_weight: of the value's loss. max_grad_norm: longest gradient.
        network: ``"mlp"``, or ``"items"``, which treats all cards of a kind alike: slower, and it learns from
            far fewer decisions.
        hidden: widths of the hidden layers.
        memory: width of what each seat remembers from one of its decisions to the next (a recurrent policy),
            for games whose observations do not hold all that a seat has seen; 0 for none.
        critic: where values come from: ``"own"``, from what the seat to act sees, or ``"central"``, from a
            second network of the same kind that sees every card (as in MAPPO); it is not needed to play.
        other_play: each seat sees each game through a symmetry of its own, so that no convention can rest
            on arbitrary labels.
        partners: agents (bots, runs, checkpoints) that take some seats in some games; only the other seats
            learn. A file or the command line may give patterns of paths. partner_share: share of the games
            with partners.
        device: ``"cpu"``, or ``"cuda"`` for a run that stays on a GPU: games, network and learning.
        precision: of the hidden layers; ``"auto"`` is bfloat16 on a GPU and where the processor multiplies
            such matrices.
        threads: that share the work of an update; ``None`` is one a core, 8 at most. They sleep while they
            wait, so a busy machine slows a run down and does not stall it.
        evaluate_every: decisions between two evaluations. evaluate_games: games of each.
        target: stop when an evaluation wins this share of its games, ``None``: train on.
        checkpoint_every: decisions between two checkpoints. keep_checkpoints: how many of the latest to keep.
    """

    task: str
    game: dict[str, Any] = Field(default_factory=dict)
    seed: int = Field(0, ge=0, lt=2**32)
    total_steps: int = Field(4_000_000, ge=1)
    num_envs: int = Field(512, ge=1)
    rollout_steps: int = Field(32, ge=1)
    epochs: int = Field(3, ge=1)
    minibatches: int = Field(8, ge=1)
    learning_rate: Schedule = Schedule(start=1e-3, end=1e-4)
    entropy: Schedule = Schedule(start=0.02, end=0.0)
    shaping: Schedule = Schedule(start=0.5, end=0.0, until=0.7)
    gae_lambda: float = Field(0.95, ge=0.0, le=1.0)
    clip: float = Field(0.2, gt=0.0)
    value_weight: float = Field(0.5, ge=0.0)
    max_grad_norm: float = Field(0.5, gt=0.0)
    network: Literal["mlp", "items"] = "mlp"
    hidden: tuple[int, ...] = (256, 256)
    memory: int = Field(0, ge=0)
    critic: Literal["own", "central"] = "own"
    other_play: bool = False
    partners: tuple[str, ...] = ()
    partner_share: float = Field(0.5, gt=0.0, le=1.0)
    device: str = Field("cpu", pattern=r"^(cpu|cuda(:\d+)?)$")
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    threads: int | None = Field(None, ge=1)
    evaluate_every: int = Field(500_000, ge=1)
    evaluate_games: int = Field(2000, ge=1)
    target: float | None = Field(None, gt=0.0, le=1.0)
    checkpoint_every: int = Field(2_000_000, ge=1)
    keep_checkpoints: int = Field(2, ge=1)

    @field_validator("memory", mode="before")
    @classmethod
    def _check_memory(cls, memory: Any) -> Any:
        if isinstance(memory, bool):
            raise ValueError("must be a width, such as 128, or 0 for none")
        return memory

    @field_validator("hidden")
    @classmethod
    def _check_hidden(cls, hidden: tuple[int, ...]) -> tuple[int, ...]:
        if not hidden or min(hidden) < 1:
            raise ValueError("must be one or more positive widths, such as [256, 256]")
        return hidden

    @model_validator(mode="after")
    def _check_together(self) -> "TrainConfig":
        task_config(self.task, **self.game)
        if not self.partners and self.partner_share != type(self).model_fields["partner_share"].default:
            raise ValueError(f"partner_share={self.partner_share}: there are no partners; set them too")
        if "reward" in self.game:
            raise ValueError(
                "game.reward: cannot be set; `shaping` is the weight of the shaped reward in training"
            )
        if self.memory and self.num_envs % self.minibatches:
            raise ValueError(
                f"minibatches={self.minibatches}: must divide num_envs={self.num_envs}, since with a memory "
                "whole games are shared out"
            )
        if self.num_envs * self.rollout_steps % self.minibatches:
            raise ValueError(
                f"minibatches={self.minibatches}: must divide num_envs * rollout_steps = "
                f"{self.num_envs * self.rollout_steps}"
            )
        return self


def config_names() -> tuple[str, ...]:
    """The configurations that come with the package; one named like a task is that task's default."""
    return tuple(sorted(_shipped()))


def load_config(name: str, overrides: Iterable[str] = ()) -> TrainConfig:
    """The configuration of a run.

    Args:
        name: a shipped configuration (``config_names()``), a task, or the path of a YAML file.
        overrides: ``key=value``, with dots into groups: ``learning_rate.start=1e-3``.

    Raises:
        ValueError: there is no such configuration, or a setting is unknown or not allowed; the message names
            it.
    """
    shipped = _shipped()
    if name in shipped:
        text = shipped[name]
    elif name in TASKS or name in GAMES:
        text = f"task: {name}"
    elif name.endswith((".yaml", ".yml")):
        try:
            text = Path(name).read_text(encoding="utf-8")
        except OSError as error:
            raise ValueError(f"config {name!r}: cannot be read: {error.strerror}") from None
    else:
        near = get_close_matches(name, [*shipped, *TASKS], 3, 0.0)
        raise ValueError(
            f"config {name!r}: no such task, configuration or .yaml file; "
            f"did you mean {', '.join(map(repr, near))}?"
        )
    try:
        values = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(f"config {name!r}: not YAML: {error}") from None
    if not isinstance(values, dict):
        raise ValueError(f"config {name!r}: must be a mapping of settings")
    for key, value in parse_options(overrides).items():
        _set(values, key, _number(value))
    config = make_config(values)
    return config.model_copy(update={"partners": _find_partners(config.partners)})


def _find_partners(names: Sequence[str]) -> tuple[str, ...]:
    """Agents by name or by whole path, so that a run means the same ones wherever and whenever it goes on.

    A pattern stands for all the paths that match it.
    """
    found: list[str] = []
    for name in names:
        paths = sorted(glob(name)) if has_magic(name) else [name]
        if not paths:
            raise ValueError(f"partners: nothing matches {name!r}")
        found += [str(Path(path).absolute()) if Path(path).exists() else path for path in paths]
    return tuple(found)


def make_config(values: dict[str, Any]) -> TrainConfig:
    """A ``TrainConfig``, with errors of one line that name the setting, the value and what is allowed."""
    try:
        return TrainConfig(**values)
    except ValidationError as error:
        raise ValueError("; ".join(_say(each, values) for each in error.errors())) from None


def _shipped() -> dict[str, str]:
    folder = resources.files("unspoken.configs")
    texts = {
        f"{game}-{file.name.removesuffix('.yaml')}": file.read_text(encoding="utf-8")
        for game in GAMES
        for file in folder.joinpath(game).iterdir()
        if file.name.endswith(".yaml")
    }
    # A game may keep other data beside its training runs; a run says its task.
    return {name: text for name, text in texts.items() if "\ntask:" in "\n" + text}


def _set(values: dict[str, Any], key: str, value: Any) -> None:
    """Set ``a.b`` in nested mappings; a schedule that is a default or a constant is spelled out first."""
    *groups, last = key.split(".")
    for group in groups:
        known = TrainConfig.model_fields.get(group)
        inner = values.get(group, None if known is None else known.default)
        if isinstance(inner, Schedule):
            inner = inner.model_dump()
        elif isinstance(inner, (int, float)):
            inner = {"start": inner, "end": inner}
        values[group] = dict(inner) if isinstance(inner, dict) else {}
        values = values[group]
    values[last] = value


def _number(value: Any) -> Any:
    """YAML reads ``2e6`` and ``1e-3`` as text; here they are numbers."""
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


def _say(error: Any, values: dict[str, Any]) -> str:
    key = ".".join(map(str, error["loc"]))
    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "extra_forbidden":
        if any(key == field.name for game in GAMES.values() for field in fields(game)):
            return f"{key}={error['input']!r}: a setting of the game; write game.{key}"
        near = get_close_matches(key, TrainConfig.model_fields, 3, 0.0)
        return f"{key}={error['input']!r}: unknown setting; did you mean {', '.join(near)}?"
    if error["type"] == "tuple_type":
        return f"{key}={error['input']!r}: must be a list, such as [{error['input']}]"
    if error["type"] == "missing":
        return f"{key}: must be set"
    return f"{key}={error['input']!r}: {message[0].lower()}{message[1:]}" if key else message
