"""The cards and levels of Syncro: what is printed is as printed, and everything that may occur does."""

import copy
import pickle
import random
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from tests.syncro_card_set import CARDS, FILES, FOLDER
from tests.syncro_random_cards import with_cards
from tests.test_differential_syncro import play_in_lock_step
from unspoken.envs.syncro.card_file import load_cards
from unspoken.envs.syncro.cards import (
    BossCard,
    CardSet,
    Draw,
    Effect,
    FogCard,
    Forbid,
    Force,
    LieutenantCard,
    PassHands,
    Redeal,
)
from unspoken.envs.syncro.config import SyncroConfig
from unspoken.envs.syncro.horde import CARD_WIDTH, draw_horde
from unspoken.envs.syncro.layout import strength_top
from unspoken.envs.syncro.limits import (
    CHAPTER_1,
    CHAPTER_2,
    HAND_LIMITS,
    LEVELS,
    MAX_LIEUTENANTS,
    MAX_MONSTERS,
    MAX_STRENGTH,
    MAX_VALUE,
)
from unspoken.train.cli import main


@pytest.fixture(scope="module")
def house() -> CardSet:
    return load_cards()


class TestAsPrinted:
    """What the rulebook states."""

    def test_spells_one_to_five_from_the_start(self, house: CardSet) -> None:
        assert sorted(house.spells) == [1, 2, 3, 4, 5]
        for level in ("I-a", "I-b", "I-c", "I-d", "II-a"):
            assert set(house.spell_deck(level)) == {1, 2, 3, 4, 5}

    def test_two_sixes_join_at_ii_b_and_two_sevens_at_ii_d(self, house: CardSet) -> None:
        start = house.spell_deck("I-a")
        assert house.spell_deck("II-b") == (*start, 6, 6)
        assert house.spell_deck("II-c") == (*start, 6, 6)
        assert house.spell_deck("II-d") == (*start, 6, 6, 7, 7)
        assert house.spell_deck("II-e") == (*start, 6, 6, 7, 7)

    def test_mushrooms_then_golems_then_dragons(self, house: CardSet) -> None:
        kinds = [{card.kind for card in house.monster_deck(level)} for level in LEVELS]
        assert kinds[:3] == [{"mushroom"}, {"mushroom", "golem"}, {"mushroom", "golem", "dragon"}]
        assert all(found == kinds[2] for found in kinds[3:])

    def test_a_dragon_of_strength_seven_takes_the_place_of_one_of_strength_five(self, house: CardSet) -> None:
        def dragons(unlocked: bool) -> list[int]:
            deck = house.monster_deck("II-e", unlocked)
            return [card.strength for card in deck if card.kind == "dragon"]

        after = dragons(unlocked=True)
        after[after.index(7)] = 5
        assert sorted(after) == sorted(dragons(unlocked=False))
        assert len(house.monster_deck("I-a", unlocked=True)) == len(house.monster_deck("I-a"))

    def test_three_powers_of_lieutenants(self, house: CardSet) -> None:
        assert {card.power for card in house.lieutenants} == {"crowd", "fog", "reward"}
        assert house.sources["lieutenants[0].power"] == "printed"

    def test_boss_one_is_one_card_like_a_dragon(self, house: CardSet) -> None:
        boss = house.bosses.first
        assert (boss.like, boss.per_other_card, boss.width) == (("dragon",), 0, 1)
        where = [
            (name, slot) for name in LEVELS for slot in house.levels[name].horde.slots if slot.back == "boss"
        ]
        assert [(name, slot.is_big_boss) for name, slot in where] == [("I-d", False), ("II-e", True)]

    def test_boss_two_is_three_cards_wide_behind_two_cerberus(self, house: CardSet) -> None:
        boss = house.bosses.second
        assert (boss.like, boss.per_other_card, boss.width) == (("dragon", "golem"), 2, 3)
        assert house.bosses.cerberus.count == 2
        horde = house.levels["II-e"].horde
        (big,) = (index for index, slot in enumerate(horde.slots) if slot.is_big_boss)
        assert horde.slots[big].width == 3 * 2
        over = [horde.slots[index] for index in horde.covered_by[big]]
        assert [slot.back for slot in over if slot.row == 1] == ["cerberus"] * 2

    def test_the_reward_of_the_end(self, house: CardSet) -> None:
        assert house.unlocked.reward.effects == (Redeal(do="redeal"), Draw(do="draw", who="each", count=1))
        assert house.reward_deck(unlocked=True) == (*house.reward_deck(), house.unlocked.reward)

    def test_the_fog_of_the_end(self, house: CardSet) -> None:
        card = house.unlocked.fog
        assert (card.kind, card.ongoing) == ("curse", False)
        assert card.effects == (PassHands(do="pass_hands", direction="left"),)
        assert house.fog_deck(unlocked=True) == (*house.fog_deck(), card)

    def test_sums_are_announced_on_ii_c_only(self, house: CardSet) -> None:
        assert [name for name in LEVELS if house.levels[name].estimate == "sum"] == ["II-c"]

    def test_one_lieutenant_at_first_and_two_on_ii_c(self, house: CardSet) -> None:
        assert house.levels["II-a"].horde.count("lieutenant") == 1
        assert house.levels["II-c"].horde.count("lieutenant") == 2

    @pytest.mark.parametrize(
        "path",
        [
            "added_spells.II-b[6]",
            "added_spells.II-d[7]",
            "bosses.first.like[0]",
            "bosses.second.like[1]",
            "bosses.second.per_other_card",
            "bosses.second.width",
            "bosses.cerberus.count",
            "unlocked.dragon.strength",
            "unlocked.dragon.replaces_strength",
            "unlocked.reward.effects[1].count",
            "unlocked.fog.effects[0].direction",
            "levels.II-c.estimate",
        ],
    )
    def test_it_is_marked_as_printed(self, house: CardSet, path: str) -> None:
        assert house.sources[path] == "printed"

    @pytest.mark.parametrize(
        "path", ["spells[1]", "bosses.first.strength", "unlocked.fog.name", "levels.II-c.pattern[0]"]
    )
    def test_what_is_ours_is_marked_as_ours(self, house: CardSet, path: str) -> None:
        assert house.sources[path] == "house"


class TestHouseCards:
    def test_there_are_more_low_spells_than_high_ones(self, house: CardSet) -> None:
        counts = [house.spells[value] for value in (1, 2, 3, 4, 5)]
        assert counts == sorted(counts, reverse=True)
        assert sum(counts) >= max(players * limit for players, limit in HAND_LIMITS.items())

    def test_every_effect_occurs(self, house: CardSet) -> None:
        (union, _) = get_args(Effect)
        fog = {type(effect) for card in house.fog for effect in card.effects}
        rewards = {type(effect) for card in house.rewards for effect in card.effects}
        assert fog | rewards == set(get_args(union))

    def test_every_rule_of_a_curse_occurs(self, house: CardSet) -> None:
        for kind in (Forbid, Force):
            rules = {
                effect.rule
                for card in house.fog
                for effect in card.effects
                if isinstance(effect, Forbid | Force) and isinstance(effect, kind)
            }
            assert rules == set(get_args(kind.model_fields["rule"].annotation))

    def test_blessings_curses_and_ongoing_curses_occur(self, house: CardSet) -> None:
        assert {(card.kind, card.ongoing) for card in house.fog} == {
            ("blessing", False),
            ("curse", False),
            ("curse", True),
        }

    def test_levels_grow(self, house: CardSet) -> None:
        hordes = [house.levels[name].horde for name in LEVELS]
        sizes = [sum(slot.width for slot in horde.slots) // CARD_WIDTH for horde in hordes]
        assert sizes == [9, 10, 11, 12, 15, 15, 15, 20, 20]

    def test_a_lieutenant_can_be_met_while_others_are_left(self, house: CardSet) -> None:
        for name in CHAPTER_2:
            horde = house.levels[name].horde
            for index, slot in enumerate(horde.slots):
                if slot.back == "lieutenant" or slot.is_big_boss:
                    assert len(horde.all_over(index)) + 1 < len(horde.slots)

    def test_a_deck_has_every_copy(self, house: CardSet) -> None:
        assert len(house.monster_deck("II-e")) == sum(card.count for card in house.monsters)
        assert len(house.fog_deck()) == sum(card.count for card in house.fog)
        assert len(house.reward_deck()) == sum(card.count for card in house.rewards)

    def test_it_can_be_copied_and_pickled(self, house: CardSet) -> None:
        assert pickle.loads(pickle.dumps(house)) == house
        assert copy.deepcopy(house) == house


class TestCommand:
    def test_every_level_is_drawn(self, house: CardSet, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["levels"]) == 0
        out = capsys.readouterr().out
        for name in LEVELS:
            assert f"{name}  {house.levels[name].name}: {house.levels[name].story}" in out
            assert draw_horde(house.levels[name].horde) in out

    def test_one_level(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["levels", "I-a", "--cards", str(FOLDER)]) == 0
        assert capsys.readouterr().out.splitlines()[1:] == [
            "horde     6 monster",
            "monsters  13 mushrooms of strength 2 to 6",
            "spells    40: 11x 1, 10x 2, 8x 3, 6x 4, 5x 5",
            "estimates thumbs",
            "",
            "      +-----+",
            "      |  M- |",
            "   +-----+-----+",
            "   |  M- |  M- |",
            "+-----+-----+-----+",
            "|  M+ |  M+ |  M+ |",
            "+-----+-----+-----+",
        ]

    def test_own_cards(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        for name, text in FILES.items():
            (tmp_path / name).write_text(text.replace("Stubble Field", "My Garden"), encoding="utf-8")
        assert main(["levels", "I-a", "--cards", str(tmp_path)]) == 0
        assert capsys.readouterr().out.startswith("I-a  My Garden: ")

    def test_the_card_files_are_written_to_be_changed(
        self, house: CardSet, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        folder = tmp_path / "deep" / "cards"
        assert main(["levels", "--copy", str(folder)]) == 0
        assert capsys.readouterr().out.split() == sorted(str(file) for file in folder.iterdir())
        assert load_cards(folder) == house
        assert main(["levels", "--copy", str(folder)]) == 2
        assert "is there already; must be a new one" in capsys.readouterr().err

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["II-f"], "unspoken levels: level 'II-f': must be one of I-a, I-b, I-c, I-d, II-a"),
            (["--cards", "/nowhere.yaml"], "unspoken levels: /nowhere.yaml: No such file or directory"),
        ],
    )
    def test_a_wrong_request(
        self, arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["levels", *arguments]) == 2
        assert capsys.readouterr().err.startswith(message)


def test_the_schema_is_used_from_python_too() -> None:
    card = LieutenantCard(name="Somebody", strength=5, power="crowd")
    with pytest.raises(ValueError, match="frozen"):
        card.strength = 6
    with pytest.raises(ValueError, match="'strength' is missing"):
        LieutenantCard.model_validate({"name": "Somebody", "power": "crowd"})
    with pytest.raises(ValueError, match="only a curse may be ongoing"):
        FogCard.model_validate(
            {
                "name": "Mist",
                "kind": "blessing",
                "ongoing": True,
                "count": 1,
                "effects": [{"do": "forbid", "rule": "pass"}],
            }
        )
    assert BossCard(name="Big", strength=9, like=("golem",), per_other_card=0, width=1).like == ("golem",)
    assert all(name in LEVELS for name in (*CHAPTER_1, *CHAPTER_2))


def many_cards(fog: int) -> dict[str, Any]:
    """As many different monsters and lieutenants as there may be, and so many Fog cards."""
    cards: dict[str, Any] = CARDS.model_dump()
    dragon = {"name": "Last", "kind": "dragon", "strength": 5, "count": 1, "from_level": "I-a"}
    cards["monsters"] = [{**dragon, "name": f"monster {n}"} for n in range(MAX_MONSTERS - 1)]
    powers = ("crowd", "fog", "reward")
    cards["lieutenants"] = [
        {"name": f"lieutenant {n}", "strength": 1, "power": powers[n % 3]} for n in range(MAX_LIEUTENANTS)
    ]
    cards["fog"] = [{**cards["fog"][0], "name": f"fog {n}", "count": 1} for n in range(fog)]
    # What the strongest monster of all could be.
    cards["bosses"]["second"] |= {"strength": MAX_STRENGTH, "per_other_card": MAX_VALUE}
    return cards


def test_all_the_different_cards_there_may_be_can_be_numbered_in_an_observation() -> None:
    cards = CardSet.model_validate(many_cards(42))
    config = with_cards(SyncroConfig("II-e", 2), cards)
    assert max(config.layout.cardinalities) == 127
    space = config.layout.compact_space()
    assert space.contains(np.array(config.layout.cardinalities, np.int8) - np.int8(1))
    play_in_lock_step(config, random.Random(0), 60)
    with pytest.raises(
        ValueError, match="122 different monsters, lieutenants and Fog cards: must be at most 121"
    ):
        CardSet.model_validate(many_cards(43))


@pytest.mark.parametrize("strongest", ["monsters", "lieutenants", "first", "second", "cerberus"])
def test_every_strength_on_a_card_is_told_apart_in_an_observation(strongest: str) -> None:
    data: dict[str, Any] = CARDS.model_dump()
    for cards in (data["monsters"], data["lieutenants"]):
        for card in cards:
            card["strength"] = 5
    for boss in data["bosses"].values():
        boss["strength"] = 1
    data["bosses"]["second"]["per_other_card"] = 0
    changed = data["bosses"][strongest] if strongest in data["bosses"] else data[strongest][0]
    changed["strength"] = MAX_STRENGTH
    level = "I-d" if strongest == "first" else "II-e"
    config = with_cards(SyncroConfig(level, 3), CardSet.model_validate(data))
    assert strength_top(config) >= MAX_STRENGTH
