"""What holds in every game of Syzygy, whatever is dealt and whatever is played."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.reference.syzygy import CHIPS
from tests.syzygy_games import ROWS, EngineGame
from unspoken.envs import BatchEnv, syzygy_v0
from unspoken.envs.syzygy import SyzygyConfig, SyzygyGame

Deal = tuple[EngineGame, random.Random]
"""A game of some configuration with some row, and the dice its actions are drawn with."""


def in_every_game(
    test: Callable[[Deal], None], rows: Sequence[tuple[str, int]] = ROWS
) -> Callable[..., None]:
    """Run `test` on many deals of every kind of row, the same ones each time."""

    @pytest.mark.parametrize(("variant", "planets"), rows)
    @settings(deadline=None, derandomize=True, database=None, max_examples=10)
    @given(st.integers(2, 6), st.integers(1, 4), st.sampled_from(["perfect", "none"]), st.integers(0, 2**32))
    def run(variant: str, planets: int, players: int, emotions: int, memory: str, seed: int) -> None:
        config = SyzygyConfig(players, planets, variant, emotions=emotions, memory=memory)
        dice = random.Random(seed)
        test((EngineGame(config, dice.sample(range(1, planets + 1), planets)), dice))

    run.__name__ = test.__name__
    run.__qualname__ = test.__qualname__
    return run


def in_every_game_with_a_blackhole(test: Callable[[Deal], None]) -> Callable[..., None]:
    return in_every_game(test, [(variant, planets) for variant, planets in ROWS if variant != "base"])


def decisions(game: EngineGame, dice: random.Random) -> Iterator[int]:
    """Play to the end: yields each chosen action before it is played."""
    while not game.finished:
        action = dice.choice(game.legal_actions())
        yield action
        game.step(action)


def known_by(game: EngineGame, seat: int) -> set[int]:
    """Where the cards of which `seat` may know the value lie, from the public record alone."""
    view = game.features(seat)
    known: set[int] = set()
    if game.config.memory == "perfect":
        known |= {i for i, chip in enumerate(view["chip_0"]) if chip}
    if view["phase"] == [1] and game.player == seat:
        known.add(view["confirmed"][0] - 1)
    return known


def hidden_cards_permuted(game: EngineGame, seat: int, dice: random.Random) -> list[int]:
    """The row with the cards that `seat` may not know in another order."""
    row = game.row
    hidden = [i for i in range(game.n) if i not in known_by(game, seat)]
    for place, value in zip(hidden, dice.sample([row[i] for i in hidden], len(hidden)), strict=True):
        row[place] = value
    return row


# Actions


@in_every_game
def test_the_mask_is_exactly_what_is_legal(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        mask = game.mask()
        assert set(mask) <= {0, 1}
        for action, allowed in enumerate(mask):
            assert game.is_legal(action) == bool(allowed)
        for nonsense in (-(2**31), -1, len(mask), len(mask) + 1, 2**31):
            assert not game.is_legal(nonsense)


@in_every_game
def test_what_the_mask_allows_is_played_and_anything_else_ends_the_game_as_illegal(deal: Deal) -> None:
    game, dice = deal
    actions = np.arange(-2, game.config.n_actions + 2)
    batch = BatchEnv(SyzygyGame(game.config), len(actions), seed=0, threads=1)
    batch.reset()
    for _ in decisions(game, dice):
        if dice.random() < 0.8:
            continue
        saved = batch.get_state()
        saved["states"][:] = game.states[0]
        batch.set_state(saved)
        allowed = np.array([0, 0, *game.mask(), 0, 0], bool)
        assert (batch.mask == np.array(game.mask())).all()
        batch.step(actions)
        assert (batch.illegal == ~allowed).all()
        assert (batch.reward[~allowed] == -1).all()
        assert (batch.score[~allowed] == 0).all()
        assert batch.done[~allowed].all()
        assert (batch.reward[allowed] >= 0).all()
        last_turn = game.features(0)["turn"][0] == game.config.n_turns - 1
        turn_ends = (actions >= game.n) & allowed
        assert (batch.done[allowed] == (turn_ends & last_turn)[allowed]).all()


@in_every_game
def test_a_player_to_move_always_has_an_action_and_none_is_left_after_the_end(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        assert sum(game.mask()) > 0
    assert sum(game.mask()) == 0
    assert not any(game.is_legal(action) for action in range(game.config.n_actions))


@in_every_game
def test_the_mask_does_not_depend_on_anything_hidden(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        other = game.copy()
        other.lay_out(dice.sample(game.row, game.n))
        assert other.mask() == game.mask()


# Cards, chips, length


@in_every_game
def test_cards_are_conserved_and_keep_their_values(deal: Deal) -> None:
    game, dice = deal
    dealt = game.row
    for _ in decisions(game, dice):
        origins = game.features(0)["origin"]
        assert sorted(origins) == list(range(game.n))
        assert game.row == [dealt[origin] for origin in origins]


@in_every_game
def test_only_the_confirmed_card_changes_its_place_among_the_others(deal: Deal) -> None:
    game, dice = deal
    for action in decisions(game, dice):
        before = game.features(0)
        moved = before["origin"][before["confirmed"][0] - 1] if before["phase"] == [1] else None
        after = game.copy_after(action)
        ordered = [origin for origin in after.features(0)["origin"] if origin != moved]
        assert ordered == [origin for origin in before["origin"] if origin != moved]


@in_every_game
def test_every_seat_puts_down_its_chips_1_2_3_4_in_order_and_they_stay_with_their_cards(deal: Deal) -> None:
    game, dice = deal
    players = game.config.n_players
    lying: list[dict[int, int]] = [{} for _ in range(players)]
    """For each seat, chip -> origin of the card it lies on."""
    for action in decisions(game, dice):
        after = game.copy_after(action)
        mover, view = game.player, after.features(0)
        if after.player != mover or after.finished:
            chip = 1 + game.features(0)["turn"][0] // players
            if action != game.config.pass_action:
                lying[mover][chip] = view["origin"][(action - game.n) % game.n]
        for seat in range(players):
            chips = dict(zip(view["origin"], view[f"chip_{seat}"], strict=True))
            assert {origin: chip for origin, chip in chips.items() if chip} == {
                origin: chip for chip, origin in lying[seat].items()
            }
    assert all(set(chips) <= set(CHIPS) for chips in lying)


@in_every_game
def test_no_card_ever_carries_two_chips_of_one_seat(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        pass
    for seat in range(game.config.n_players):
        view = game.features(seat)
        passes = view["source_0"].count(1)
        assert sum(chip > 0 for chip in view["chip_0"]) + passes == 4


@in_every_game
def test_a_game_has_four_turns_a_player_and_at_most_two_decisions_a_turn(deal: Deal) -> None:
    game, dice = deal
    length = sum(1 for _ in decisions(game, dice))
    assert game.features(0)["turn"] == [4 * game.config.n_players]
    passes = sum(game.features(seat)["source_0"].count(1) for seat in range(game.config.n_players))
    assert length == 8 * game.config.n_players - passes
    assert length <= game.config.max_decisions == 8 * game.config.n_players


@in_every_game_with_a_blackhole
def test_the_blackhole_never_carries_a_chip_and_is_never_seen(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        for view in game.views():
            blackhole = view["origin"].index(game.n // 2)
            assert not game.is_legal(blackhole)
            assert view["value"][blackhole] == 0
            assert all(view[f"chip_{k}"][blackhole] == 0 for k in range(game.config.n_players))


@in_every_game
def test_the_game_is_won_exactly_when_it_ends_with_the_row_rising_or_falling(deal: Deal) -> None:
    game, dice = deal
    if dice.random() < 0.5:
        # Random play never wins: pass through, from a row that is aligned or one move away from it.
        row = sorted(game.row, reverse=dice.random() < 0.5)
        if dice.random() < 0.5:
            row.insert(dice.randrange(game.n), row.pop())
        game.lay_out(row)
        while not game.finished:
            assert not game.won
            reward = game.step(game.config.pass_action)
    else:
        for action in decisions(game, dice):
            assert not game.won
            reward = game.copy().step(action)
    aligned = game.row in (sorted(game.row), sorted(game.row, reverse=True))
    assert game.won == aligned
    assert reward == float(aligned)


@in_every_game
def test_the_shaped_rewards_of_a_game_add_up_to_the_result_less_the_potential_of_the_deal(deal: Deal) -> None:
    game, dice = deal
    shaped = EngineGame(replace(game.config, reward="shaped"), game.row)
    pairs = game.config.max_potential
    dealt = shaped.potential() / pairs
    total, sparse = 0.0, 0.0
    for action in decisions(game, dice):
        row = game.row
        rising = sum(row[i] < row[j] for j in range(game.n) for i in range(j))
        assert game.potential() == shaped.potential() == max(rising, pairs - rising)
        sparse += game.copy().step(action)
        total += shaped.step(action)
    assert total == pytest.approx(sparse - dealt)
    assert sparse == game.won


# Who knows what


@in_every_game
def test_a_seat_sees_exactly_the_values_it_may_know(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        for seat, view in enumerate(game.views()):
            known = known_by(game, seat)
            assert view["value"] == [value if i in known else 0 for i, value in enumerate(game.row)]


@in_every_game
def test_permuting_cards_a_seat_may_not_know_changes_nothing_it_is_shown(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        seat = dice.randrange(game.config.n_players)
        other = game.copy()
        other.lay_out(hidden_cards_permuted(game, seat, dice))
        assert other.features(seat) == game.features(seat)
        assert other.mask() == game.mask()
        assert other.player == game.player


@in_every_game
def test_two_deals_that_look_the_same_to_a_seat_stay_the_same_to_it_throughout(deal: Deal) -> None:
    # The same actions from two rows: a seat that looked only at cards equal in both cannot tell them apart.
    game, dice = deal
    seat = dice.randrange(game.config.n_players)
    other = EngineGame(game.config, dice.sample(game.row, game.n))
    dealt, dealt_other = game.row, other.row
    for action in decisions(game, dice):
        view = game.features(seat)
        told_apart = any(
            dealt[view["origin"][i]] != dealt_other[view["origin"][i]] for i in known_by(game, seat)
        )
        assert (other.features(seat) != view) == told_apart
        assert other.mask() == game.mask()
        other.step(action)


@in_every_game
def test_nothing_an_aec_environment_says_to_a_seat_depends_on_cards_it_may_not_know(deal: Deal) -> None:
    game, dice = deal
    config = game.config
    played, other = (
        syzygy_v0.env(
            config.n_players,
            config.n_planets,
            config.variant,
            emotions=config.emotions,
            memory=config.memory,
            observation="compact",
        )
        for _ in range(2)
    )
    played.reset(seed=0)
    saved = played.get_state()
    saved["states"][:] = game.states
    played.set_state(saved)
    for action in decisions(game, dice):
        if dice.random() < 0.3:
            seat = dice.randrange(config.n_players)
            agent = f"player_{seat}"
            twin = game.copy()
            twin.lay_out(hidden_cards_permuted(game, seat, dice))
            saved = played.get_state()
            saved["states"][:] = twin.states
            other.set_state(saved)
            assert other.agent_selection == played.agent_selection
            for name, value in played.observe(agent).items():
                assert other.observe(agent)[name].tolist() == value.tolist()
            assert played.infos[agent].keys() == other.infos[agent].keys()
            for name, value in played.infos[agent].items():
                assert np.array_equal(other.infos[agent][name], value)
            assert (other.rewards, other.terminations) == (played.rewards, played.terminations)
        played.step(action)


# Symmetries


@in_every_game
def test_counting_the_planets_from_the_other_end_is_a_symmetry(deal: Deal) -> None:
    game, dice = deal
    n = game.n
    mirrored = EngineGame(game.config, [n + 1 - value for value in game.row])
    for action in decisions(game, dice):
        assert mirrored.mask() == game.mask()
        assert mirrored.potential() == game.potential()
        for view, other in zip(game.views(), mirrored.views(), strict=True):
            assert other == {**view, "value": [value and n + 1 - value for value in view["value"]]}
        mirrored.step(action)
    assert (mirrored.finished, mirrored.won) == (True, game.won)


@in_every_game
def test_looking_at_the_row_from_the_other_side_of_the_table_is_a_symmetry(deal: Deal) -> None:
    game, dice = deal
    config, n = game.config, game.n

    def from_behind(action: int) -> int:
        if action == config.pass_action:
            return action
        start, position = divmod(action, n)
        return start * n + n - 1 - position

    def view_from_behind(view: dict[str, list[int]]) -> dict[str, list[int]]:
        turned = {}
        for name, values in view.items():
            if name == "confirmed":
                turned[name] = [value and 1 + n - value for value in values]
            elif name == "origin":
                turned[name] = [n - 1 - value for value in reversed(values)]
            elif name.startswith("source"):
                turned[name] = [value if value < 2 else 2 + n - 1 - (value - 2) for value in values]
            elif name.startswith("destination"):
                turned[name] = [value and 1 + n - value for value in values]
            elif name == "value" or name.startswith("chip"):
                turned[name] = values[::-1]
            else:
                turned[name] = values
        return turned

    reversed_game = EngineGame(config, game.row[::-1])
    for action in decisions(game, dice):
        assert {from_behind(a) for a in game.legal_actions()} == set(reversed_game.legal_actions())
        assert reversed_game.potential() == game.potential()
        assert reversed_game.views() == [view_from_behind(view) for view in game.views()]
        reversed_game.step(from_behind(action))
        assert reversed_game.row == game.copy_after(action).row[::-1]
    assert (reversed_game.finished, reversed_game.won) == (True, game.won)


@in_every_game
def test_renaming_the_emotions_is_a_symmetry(deal: Deal) -> None:
    game, dice = deal
    config, n = game.config, game.n
    names = dice.sample(range(config.emotions), config.emotions)
    renamed = EngineGame(config, game.row)
    for action in decisions(game, dice):
        assert renamed.mask() == game.mask()
        for view, other in zip(game.views(), renamed.views(), strict=True):
            for k in range(config.n_players) if config.emotions > 1 else ():
                name = f"emotion_{k}"
                view[name] = [value and 1 + names[value - 1] for value in view[name]]
            assert other == view
        emotion, position = divmod(action - n, n)
        renamed.step(
            action if action < n or action == config.pass_action else n + names[emotion] * n + position
        )
    assert (renamed.row, renamed.won) == (game.row, game.won)


@in_every_game
def test_all_seats_see_the_same_table_each_from_its_own_side(deal: Deal) -> None:
    game, dice = deal
    players = game.config.n_players
    for _ in decisions(game, dice):
        views = game.views()
        for seat, view in enumerate(views):
            assert view["seat"] == [seat]
            for name in ("phase", "turn", "confirmed", "origin"):
                assert view[name] == views[0][name]
            for k in range(players):
                whose = (seat + k) % players
                for part in ("chip", "source", "destination", "emotion"):
                    if f"{part}_0" in view:
                        assert view[f"{part}_{k}"] == views[whose][f"{part}_0"]


# The state


@in_every_game
def test_a_copied_state_plays_on_exactly_like_the_original(deal: Deal) -> None:
    game, dice = deal
    twin = game.copy()
    for action in decisions(game, dice):
        twin = twin.copy()
        twin.step(action)
        assert twin.everything() == game.copy_after(action).everything()


@in_every_game
def test_observing_and_asking_for_the_mask_change_nothing(deal: Deal) -> None:
    game, dice = deal
    for _ in decisions(game, dice):
        before = game.everything()
        game.views()
        game.mask()
        game.potential()
        assert game.everything() == before


# The deal


@pytest.mark.parametrize("n", [4, 5])
def test_every_row_is_dealt_about_equally_often(n: int) -> None:
    config = SyzygyConfig(n_planets=n)
    rows = int(np.prod(range(1, n + 1)))
    each = 100
    game = EngineGame(config, seed=7)
    counts: Counter[tuple[int, ...]] = Counter()
    for _ in range(rows * each):
        counts[tuple(game.row)] += 1
        game.deal_again()
    assert len(counts) == rows
    # The statistic has mean rows - 1 and variance 2 (rows - 1): five standard deviations.
    statistic = sum((count - each) ** 2 / each for count in counts.values())
    assert abs(statistic - (rows - 1)) < 5 * (2 * (rows - 1)) ** 0.5


def test_another_seed_or_another_episode_is_another_deal() -> None:
    config = SyzygyConfig(n_planets=12)
    dealt = [tuple(EngineGame(config, seed=seed).row) for seed in range(200)]
    game = EngineGame(config, seed=0)
    for _ in range(200):
        game.deal_again()
        dealt.append(tuple(game.row))
    assert len(set(dealt)) == 400
