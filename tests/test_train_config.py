"""What can be set for a training run, and what is said when it cannot."""

from pathlib import Path

import pytest

from unspoken.envs import task_config
from unspoken.train.config import Schedule, TrainConfig, config_names, load_config


@pytest.mark.parametrize("name", config_names())
def test_every_shipped_configuration_is_valid_and_named_like_a_task(name: str) -> None:
    config = load_config(name)
    assert name.startswith(config.task)
    task_config(config.task, **config.game)


def test_a_task_without_a_configuration_of_its_own_gets_the_defaults() -> None:
    assert load_config("syzygy-divine-6p") == TrainConfig(task="syzygy-divine-6p")


def test_overrides_reach_into_groups_and_read_numbers_as_people_write_them() -> None:
    config = load_config(
        "syzygy-base4-2p",
        ["total_steps=2e6", "learning_rate.start=1e-3", "entropy=0.5", "hidden=[64, 32]", "threads=null"],
    )
    assert config.total_steps == 2_000_000
    assert config.learning_rate.start == 1e-3
    assert config.learning_rate.end == TrainConfig.model_fields["learning_rate"].default.end
    assert config.entropy == Schedule(start=0.5, end=0.5)
    assert config.hidden == (64, 32)
    assert config.threads is None


def test_settings_of_the_game_can_be_given() -> None:
    config = load_config("syzygy", ["game.n_players=3", "game.emotions=2"])
    assert config.game == {"n_players": 3, "emotions": 2}


def test_a_schedule_goes_straight_and_then_stays() -> None:
    schedule = Schedule(start=1.0, end=0.5, until=0.5)
    assert [schedule.at(progress) for progress in (0.0, 0.25, 0.5, 1.0)] == [1.0, 0.75, 0.5, 0.5]


def test_a_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text("task: syzygy-base4-3p\nseed: 7\n")
    assert load_config(str(file), ["seed=8"]) == TrainConfig(task="syzygy-base4-3p", seed=8)


@pytest.mark.parametrize(
    ("name", "overrides", "message"),
    [
        ("syzygy-base-7p", [], "config 'syzygy-base-7p': no such task.*did you mean 'syzygy-base-"),
        ("nowhere.yaml", [], "config 'nowhere.yaml': cannot be read: No such file"),
        (
            "syzygy-base4-2p",
            ["leraning_rate=1"],
            "leraning_rate=1: unknown setting; did you mean learning_rate",
        ),
        ("syncro-Ia-2p", ["cards=mine"], "cards='mine': a setting of the game; write game.cards"),
        ("syzygy-base4-2p", ["partners=random"], r"partners='random': must be a list, such as \[random\]"),
        ("syzygy-base4-2p", ["seed=x"], "seed='x': input should be a valid integer"),
        ("syzygy-base4-2p", ["seed=-1"], "seed=-1: input should be greater than or equal to 0"),
        ("syzygy-base4-2p", ["seed"], "'seed': must be of the form key=value"),
        ("syzygy-base4-2p", ["clip=0"], "clip=0: input should be greater than 0"),
        ("syzygy-base4-2p", ["clip=.nan"], "clip=nan: input should be"),
        ("syzygy-base4-2p", ["hidden=[]"], r"hidden=\[\]: must be one or more positive widths"),
        ("syzygy-base4-2p", ["learning_rate.until=2"], "learning_rate.until=2: input should be less"),
        ("syzygy-base4-2p", ["precision=half"], "precision='half': input should be 'auto', 'float32'"),
        ("syzygy-base4-2p", ["minibatches=7"], "minibatches=7: must divide num_envs .* = 16384"),
        ("syzygy-base4-2p", ["game.n_players=3"], "n_players=3: task 'syzygy-base4-2p' fixes it at 2"),
        ("syzygy-base4-2p", ["game.reward=shaped"], "game.reward: cannot be set; `shaping`"),
        ("syzygy-base4-2p", ["task=syzygy-base-9p"], "task='syzygy-base-9p': unknown"),
    ],
)
def test_what_is_not_allowed_is_named(name: str, overrides: list[str], message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        load_config(name, overrides)
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_a_mapping_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "list.yaml"
    file.write_text("- 1\n")
    with pytest.raises(ValueError, match="must be a mapping"):
        load_config(str(file))
    file.write_text("a: [")
    with pytest.raises(ValueError, match="not YAML"):
        load_config(str(file))
