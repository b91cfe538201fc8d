"""The scripted players of Syncro play by the rules at every table, and only the oracle is shown the cards."""

import pytest

from unspoken.agents import agent_names, load_agent
from unspoken.envs import make_game
from unspoken.train.evaluate import evaluate

BOTS = [name for name in agent_names() if name.startswith("syncro/")]


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(
    ("scenario", "players"), [("I-a", 2), ("I-d", 3), ("II-c", 4), ("II-e", 5), ("chapter-2", 2)]
)
def test_a_bot_plays_by_the_rules_at_every_table(name: str, scenario: str, players: int) -> None:
    result = evaluate("syncro", name, 2, scenario=scenario, n_players=players, unlocked=players == 5)
    assert result.illegal == 0


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_refuses_another_game(name: str) -> None:
    with pytest.raises(ValueError, match=f"agent '?{name}"):
        load_agent(name).reset(make_game("syzygy-base-4p"), 1, 0)


def test_only_the_oracle_is_shown_the_cards() -> None:
    assert [name for name in BOTS if load_agent(name).sees_state] == ["syncro/oracle"]
