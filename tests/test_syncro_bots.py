"""The scripted players of Syncro: what they choose, as statements about play, and how strong they are."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.reference.syncro import Syncro
from tests.reference.syncro_features import features, numbered_actions
from tests.reference.syncro_parts import Action, Attack, Pass
from tests.syncro_card_set import FOLDER
from tests.syncro_positions import dragon, golem, mushroom, position
from unspoken.agents import Agent, load_agent
from unspoken.envs import make_game, make_vec
from unspoken.envs.syncro.config import SCENARIOS, SyncroConfig
from unspoken.envs.syncro.game import SyncroGame
from unspoken.train.evaluate import evaluate

SILENT = ("syncro/solo", "syncro/estimate", "syncro/convention")
BOTS = (*SILENT, "syncro/oracle")
TURN, ESTIMATE, DEBT, TARGET, KEEP = range(5)


def bound(name: str, config: SyncroConfig) -> Agent:
    agent = load_agent(name)
    agent.reset(SyncroGame(config), 1, 0)
    return agent


def choice(name: str, game: Syncro) -> Action:
    """What the bot does in a position of the reference model."""
    config = SyncroConfig(scenario=game.table.level, n_players=game.players)
    object.__setattr__(config, "card_set", game.cards)
    most = {feature.name: feature.cardinality - 1 for feature in config.layout.features}
    decision = game.decision
    assert decision is not None
    seen = features(game, decision.seat, most, config.n_slots)
    agent = bound(name, config)
    if agent.sees_state:
        # Everybody's own view, put together.
        for k in range(game.players):
            own = features(game, (decision.seat + k) % game.players, most, config.n_slots)
            seen |= {f"{part}_{k}": own[f"{part}_0"] for part in ("hand", "play_value")}
    legal = numbered_actions(game, config.n_slots)
    row = np.array([[value for values in seen.values() for value in values]], np.int8)
    mask = np.array([[number in legal for number in range(config.n_actions)]], np.int8)
    actions, _ = agent.act(row, mask, np.array([decision.seat], np.int8), None)
    return legal[int(actions[0])]


def with_cards(game: Syncro, *cards: Any) -> Syncro:
    """The position, with the horde's cards among those that there are."""
    known = {card.name: card for card in cards}
    monsters = (*game.cards.monsters, *known.values())
    game.cards = game.cards.model_copy(update={"monsters": monsters})
    return game


def facing(*foes: Any, hands: list[tuple[int, ...]], level: str = "I-c") -> Syncro:
    """Everything lies face up in one row, the leader is seat 0."""
    game = position(("M+" * len(foes),), foes, hands, level=level)
    return with_cards(game, *foes)


def spent(game: Syncro, name: str) -> list[int]:
    """The spells with which the bot, in all seats, attacks in this round."""
    spells: list[int] = []
    leader = game.table.leader
    while game.kind == "turn" and game.table.leader == leader and not game.finished:
        action = choice(name, game)
        assert game.decision is not None
        if isinstance(action, Attack):
            spells.append(game.table.hands[game.decision.seat][action.hand].value)
        game.apply(action)
    return spells


# Which attack.


@pytest.mark.parametrize("name", BOTS)
def test_the_last_wizard_destroys_a_golem_with_the_lowest_spell_that_is_enough(name: str) -> None:
    game = facing(golem(4), golem(40), hands=[(1,), (1,), (1,), (5, 1, 4)])
    for _ in range(3):
        game.apply(Pass())
    assert choice(name, game) == Attack(2, 0)


@pytest.mark.parametrize("name", BOTS)
def test_the_last_wizard_meets_a_dragon_exactly(name: str) -> None:
    game = facing(dragon(3), golem(40), hands=[(1,), (1,), (1,), (5, 4, 3, 2)])
    for _ in range(3):
        game.apply(Pass())
    assert choice(name, game) == Attack(2, 0)


@pytest.mark.parametrize("name", BOTS)
def test_more_than_enough_goes_on_a_mushroom(name: str) -> None:
    game = facing(mushroom(2), golem(40), hands=[(1,), (1,), (1,), (2, 5)])
    for _ in range(3):
        game.apply(Pass())
    assert choice(name, game) == Attack(1, 0)


@pytest.mark.parametrize(("foe", "needed"), [(golem(9), 9), (dragon(12), 12)])
def test_the_oracle_spends_exactly_what_the_last_foe_takes(foe: Any, needed: int) -> None:
    game = facing(foe, hands=[(1, 2), (5, 1), (1, 3), (4, 5)])
    assert sum(spent(game, "syncro/oracle")) == needed
    assert game.levels_won == 1


# Everything else.


def answer(name: str, decision: int, **seen: int | list[int]) -> str:
    """What the bot does in a decision of I-c with four wizards, of whom it is shown this."""
    config = SyncroConfig(scenario="I-c", n_players=4, cards=FOLDER)
    vec = make_vec("syncro", 1, scenario="I-c", n_players=4, cards=FOLDER)
    vec.reset()
    row = np.array(vec.features)
    for feature, values in {"decision": decision, "leader": 0, **seen}.items():
        place = config.layout[feature]
        row[0, place.start : place.start + np.size(values)] = values
    size = int(row[0, config.layout["hand_size_0"].start])
    mask = np.zeros((1, config.n_actions), np.int8)
    first = {ESTIMATE: 1, DEBT: 4, KEEP: 5 + config.hand_limit}[decision]
    number = {ESTIMATE: 3, DEBT: size, KEEP: 2}[decision]
    mask[0, config.pass_action + first : config.pass_action + first + number] = 1
    if decision == DEBT:
        mask[0, config.pass_action + 4 + config.hand_limit] = 1
    actions, _ = bound(name, config).act(row, mask, np.zeros(1, np.int8), None)
    assert mask[0, actions[0]]
    return SyncroGame(config).action_name(int(actions[0]))


def hand(*spells: int) -> dict[str, Any]:
    return {"hand_0": [*spells, *[0] * (5 - len(spells))], "hand_size_0": len(spells)}


@pytest.mark.parametrize("name", ["syncro/solo", "syncro/estimate"])
def test_thumbs_mean_what_anyone_would_take_them_for(name: str) -> None:
    assert answer(name, ESTIMATE, **hand(5, 4, 4, 3, 2)) == "ESTIMATE good"
    assert answer(name, ESTIMATE, **hand(3, 2, 3, 2, 3)) == "ESTIMATE average"
    assert answer(name, ESTIMATE, **hand(1, 1, 2, 3, 1)) == "ESTIMATE bad"


def test_thumbs_of_the_convention_tell_of_the_highest_spell() -> None:
    assert answer("syncro/convention", ESTIMATE, **hand(5, 1, 1, 1, 1)) == "ESTIMATE good"
    assert answer("syncro/convention", ESTIMATE, **hand(4, 4, 4, 4, 4)) == "ESTIMATE average"
    assert answer("syncro/convention", ESTIMATE, **hand(3, 3, 3, 3, 3)) == "ESTIMATE bad"


@pytest.mark.parametrize("name", BOTS)
def test_a_dragon_is_paid_with_the_spells_that_are_just_enough(name: str) -> None:
    assert answer(name, DEBT, owed=1, **hand(5, 3, 1)) == "DISCARD 2"
    assert answer(name, DEBT, owed=3, **hand(5, 1, 2, 4)) in ("DISCARD 1", "DISCARD 2")


@pytest.mark.parametrize("name", BOTS)
def test_a_debt_is_left_to_those_who_surely_can_pay_it(name: str) -> None:
    assert answer(name, DEBT, owed=1, hand_size_1=5, hand_size_2=5, **hand(5, 4)) == "STOP"
    nobody = {"hand_size_1": 0, "hand_size_2": 0, "hand_size_3": 0}
    assert answer(name, DEBT, owed=1, **nobody, **hand(5, 4)) == "DISCARD 1"
    # Seats 1 to 3 were asked before: the reader is the last one.
    assert answer(name, DEBT, owed=1, leader=1, hand_size_1=5, hand_size_2=5, **hand(5, 4)) == "DISCARD 1"


@pytest.mark.parametrize("name", BOTS)
def test_only_a_hand_better_than_the_deck_is_kept(name: str) -> None:
    assert answer(name, KEEP, **hand(5, 4, 3)) == "KEEP"
    assert answer(name, KEEP, **hand(1, 1, 2)) == "DISCARD ALL"


# Every decision of every game.


@pytest.mark.parametrize("name", BOTS)
def test_every_decision_in_every_scenario_is_allowed(name: str) -> None:
    agent = load_agent(name)
    met: set[int] = set()
    for index, (scenario, players) in enumerate(product(SCENARIOS, (2, 3, 4, 5))):
        unlocked = index % 2 == 1
        vec = make_vec(
            "syncro", 12, seed=index, scenario=scenario, n_players=players, unlocked=unlocked, cards=FOLDER
        )
        assert agent.reset(vec.game, 12, 0) is None
        vec.reset()
        place = vec.game.layout["decision"].start
        for _ in range(40):
            seen = vec.observe(vec.player, everything=True) if agent.sees_state else vec.features
            actions, _ = agent.act(seen, vec.mask, vec.player, None)
            assert vec.mask[np.arange(12), actions].all()
            met |= set(vec.features[:, place].tolist())
            vec.step(actions)
    assert met >= {TURN, ESTIMATE, DEBT, TARGET, KEEP}


def rows_of(task: str, number: int) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8], Any]:
    """Features, mask and seats of some decisions of games played at random."""
    vec = make_vec(task, number, seed=4)
    vec.reset()
    vec.play_random(25)
    return np.array(vec.features), np.array(vec.mask), np.array(vec.player)


@pytest.mark.parametrize("name", BOTS)
def test_a_choice_follows_from_its_row_alone(name: str) -> None:
    seen, mask, player = rows_of("syncro-IIb-3p", 40)
    agent = load_agent(name)
    assert agent.reset(make_game("syncro-IIb-3p"), 40, 0) is None
    together, state = agent.act(seen, mask, player, None)
    assert state is None
    order = np.random.default_rng(0).permutation(40)
    shuffled, _ = agent.act(seen[order], mask[order], player[order], None)
    np.testing.assert_array_equal(shuffled, together[order])
    for row in range(0, 40, 8):
        alone, _ = agent.act(seen[row : row + 1], mask[row : row + 1], player[row : row + 1], None)
        assert alone[0] == together[row]


def test_only_the_oracle_is_shown_what_is_hidden() -> None:
    assert [load_agent(name).sees_state for name in BOTS] == [False, False, False, True]


@pytest.mark.parametrize("name", BOTS)
def test_another_game_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match=f"agent '{name}' plays only Syncro, not 'syzygy'"):
        load_agent(name).reset(make_game("syzygy-base5-3p"), 1, 0)


@pytest.mark.parametrize(("level", "players"), [("I-d", 3), ("II-d", 4)])
def test_each_player_is_stronger_than_the_one_before(level: str, players: int) -> None:
    wins = [
        evaluate("syncro", name, 300, 1, scenario=level, n_players=players, cards=FOLDER).wins
        for name in ("random", *BOTS)
    ]
    assert wins == sorted(wins)
    assert wins[3] > wins[2] + 30
