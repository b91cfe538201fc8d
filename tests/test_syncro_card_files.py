"""Card files and patterns of Syncro: what cannot be played is refused, and the place is named."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from tests.syncro_card_set import CARDS, FILES
from unspoken.envs.syncro.card_file import CardFileError, house_files, load_cards
from unspoken.envs.syncro.horde import PatternError, Slot, draw_horde, parse_pattern
from unspoken.envs.syncro.limits import LEVELS, LevelName

Refused = Callable[[str, str, str], str]


@pytest.fixture
def refused(tmp_path: Path) -> Refused:
    """What is said of the cards with one text of a file, the first, replaced by another."""

    def load(file: str, old: str, new: str) -> str:
        assert old in FILES[file]
        for name, text in FILES.items():
            written = text.replace(old, new, 1) if name == file else text
            (tmp_path / name).write_text(written, encoding="utf-8")
        with pytest.raises(CardFileError) as caught:
            load_cards(tmp_path)
        message = str(caught.value)
        assert "\n" not in message
        return message.replace(f"{tmp_path}/", "").replace(str(tmp_path), "cards")

    return load


def line_of(file: str, text: str) -> int:
    return 1 + FILES[file][: FILES[file].index(text)].count("\n")


class TestPatterns:
    def test_a_card_lies_over_those_above_it_that_it_overlaps(self) -> None:
        horde = parse_pattern(["M-M-  F-", " M-M-M+ ", "M+ M+   "])
        assert horde.slots == (
            Slot("monster", False, 0, 0),
            Slot("monster", False, 0, 2),
            Slot("fog", False, 0, 6),
            Slot("monster", False, 1, 1),
            Slot("monster", False, 1, 3),
            Slot("monster", True, 1, 5),
            Slot("monster", True, 2, 0),
            Slot("monster", True, 2, 3),
        )
        assert horde.covered_by == ((3, 6), (3, 4, 7), (5,), (6,), (7,), (), (), ())
        assert horde.all_over(1) == {3, 4, 6, 7}

    def test_neighbours_do_not_cover_each_other(self) -> None:
        assert parse_pattern(["M+M+ M+"]).covered_by == ((), (), ())

    def test_resolution_is_bottom_row_first_and_left_to_right(self) -> None:
        assert parse_pattern(["M-M-M-", " M+M+ "]).resolution_order == (3, 4, 0, 1, 2)

    def test_three_boss_cards_are_one_slot(self) -> None:
        horde = parse_pattern(["B-B-B-", " C-C- ", " M+M+ "])
        assert horde.slots[0] == Slot("boss", False, 0, 0, 6)
        assert horde.covered_by == ((1, 2, 3, 4), (3,), (4,), (), ())

    @pytest.mark.parametrize(
        ("rows", "row", "message"),
        [
            (["M+", "X+"], 1, "'X+' at column 1: a slot must be one of M (monster), F (fog)"),
            (["M+ M"], 0, "'M' at column 4: a slot must be"),
            (["M*"], 0, "'M*' at column 1"),
            (["M+\tM+"], 0, "at column 3"),
            ([], 0, "no rows: must have at least one"),
            (["M+", "  "], 1, "an empty row: must have at least one slot"),
            (["M+" * 17], 0, "34 half cards: a row must be at most 32 half cards wide"),
            (["M+" * 13, "M+" * 12], 1, "25 slots: must be at most 24"),
            (["F+", "M+"], 0, "F+: a fog card must lie face down, F-"),
            (["L+", "M+"], 0, "L+: a lieutenant card must lie face down, L-"),
            (["B+", "M+"], 0, "B+: a boss card must lie face down, B-"),
            (["M-"], 0, "M- at column 1 is not covered: a card accessible from the start must be a monster"),
            (["M+ F-"], 0, "F- at column 4 is not covered"),
            (["M-  M-", " M+   "], 0, "M- at column 5 is not covered"),
            (["B-B-", "M+M+"], 0, "B-B-: a boss must be one card (Boss I, B-) or three (Boss II, B-B-B-)"),
            (["B- B-", "M+ M+"], 0, "2 bosses: there must be at most one"),
            (["C-C-", "M+M+"], 0, "2 Cerberus: they must lie before Boss II (B-B-B-) only"),
            (["B-", "C-", "M+"], 1, "1 Cerberus: they must lie before Boss II (B-B-B-) only"),
            (["B-B-B-", "M+M+M+"], 0, "0 Cerberus: Boss II (B-B-B-) needs exactly 2"),
            (["B-B-B-", "C-C-C-", "M+M+M+"], 1, "3 Cerberus: Boss II (B-B-B-) needs exactly 2"),
            (["B-B-B-", " C-   ", " C-   ", "M+M+M+"], 2, "C- lies over a Cerberus, directly or through"),
            (["B-B-B-", " C-   ", "  M-  ", "   C- ", "M+M+M+"], 3, "C- lies over a Cerberus"),
            (["C-    ", "B-B-B-", "  C-  ", "M+M+M+"], 1, "B-B-B- lies over a Cerberus"),
            (["C-  C-", " M-   ", "B-B-B-", "M+M+M+"], 2, "B-B-B- lies over a Cerberus"),
        ],
    )
    def test_a_pattern_that_cannot_be_played_is_refused(
        self, rows: list[str], row: int, message: str
    ) -> None:
        with pytest.raises(PatternError, match=re.escape(message)) as caught:
            parse_pattern(rows)
        assert caught.value.row == row

    def test_cerberus_may_lie_anywhere_but_over_each_other(self) -> None:
        horde = parse_pattern(["B-B-B- C-", " C- M+ M+", " M+      "])
        assert [slot.back for slot in horde.slots[:3]] == ["boss", "cerberus", "cerberus"]

    @pytest.mark.parametrize("name", LEVELS)
    def test_a_drawing_shows_the_pattern(self, name: LevelName) -> None:
        horde = load_cards().levels[name].horde
        assert horde.rows() == tuple(row.rstrip() for row in load_cards().levels[name].pattern)
        rows = []
        for line in draw_horde(horde).splitlines()[1::2]:
            row = ""
            for card in re.finditer(r"\| +([A-Z][+-]) +(?=\|)", line):
                row = row.ljust(card.start() // 3) + card[1] * round((len(card[0]) / 3) / 2)
            rows.append(row)
        assert tuple(rows) == horde.rows()

    def test_a_drawing_hides_what_is_covered(self) -> None:
        assert draw_horde(parse_pattern(["M-M-  ", " M+M+ ", "     M+"])).splitlines() == [
            "+-----+-----+",
            "|  M- |  M- |",
            "+--+-----+-----+",
            "   |  M+ |  M+ |",
            "   +-----+-----+-----+",
            "               |  M+ |",
            "               +-----+",
        ]


class TestErrors:
    """A wrong card file is answered with the file, the line, the key and what was expected."""

    @pytest.mark.parametrize(
        ("file", "old", "new", "message"),
        [
            ("spells.yaml", "1: 11", "1: eleven", "spells[1]: 'eleven': must be a whole number"),
            ("spells.yaml", "1: 11", "1: 0", "spells[1]: 0: must be greater than or equal to 1"),
            ("spells.yaml", "5: 5", "8: 5", "spells[8]: 8: must be less than or equal to 7"),
            ("spells.yaml", "5: 5", "4: 5", "spells[4]: is there twice: must be written once"),
            (
                "spells.yaml",
                "II-d: {7: 2}",
                "II-f: {7: 2}",
                "added_spells.II-f: 'II-f': must be 'I-a', 'I-b'",
            ),
            (
                "monsters.yaml",
                "kind: mushroom",
                "kind: toadstool",
                "monsters[0].kind: 'toadstool': must be 'mushroom', 'golem' or 'dragon'",
            ),
            ("monsters.yaml", "strength: 2", "strength: 41", "monsters[0].strength: 41: must be less than"),
            (
                "monsters.yaml",
                "strength: 2, ",
                "",
                "monsters[0]: the key 'strength' is missing: there must be name, kind, strength, count",
            ),
            (
                "monsters.yaml",
                "strength: 2",
                "power: 2",
                "monsters[0].power: unknown key: must be one of name, kind, strength, count, from_level",
            ),
            (
                "monsters.yaml",
                "name: Ditch Parasol",
                "name: Button Puffball",
                "monsters[1].name: 'Button Puffball': is there already; every name must be unique",
            ),
            ("monsters.yaml", "width: 3", "width: 2", "bosses.second.width: 2: must be 3"),
            (
                "fog.yaml",
                "effects: [{do: draw, who: team, count: 3}]",
                "effects: []",
                "fog[0].effects: no effects: there must be at least one",
            ),
            (
                "fog.yaml",
                "effects: [{do: reveal, what: all}]",
                "effects: [" + "{do: redeal}, " * 5 + "]",
                "fog[2].effects: 5 entries: must be at most 4",
            ),
            (
                "fog.yaml",
                "do: draw, who: team",
                "do: pull, who: team",
                "fog[0].effects[0].do: 'pull': must be one of 'draw', 'discard', 'pass_hands', 'redeal', ",
            ),
            (
                "fog.yaml",
                "do: draw, who: team",
                "who: team",
                "fog[0].effects[0]: the key 'do' is missing: it must name the effect",
            ),
            (
                "fog.yaml",
                "who: team",
                "who: player",
                "fog[0].effects[0].who: 'player': a Fog card is played by nobody; must be leader",
            ),
            (
                "fog.yaml",
                "amount: -1",
                "amount: 0",
                "fog[4].effects[0].amount: 0: must not be 0, it would change nothing",
            ),
            (
                "fog.yaml",
                "ongoing: false",
                "ongoing: sometimes",
                "fog[0].ongoing: 'sometimes': must be true or false",
            ),
            (
                "fog.yaml",
                "ongoing: false",
                "ongoing: true",
                "fog[0].ongoing: true: only a curse may be ongoing; a blessing must be false",
            ),
            (
                "fog.yaml",
                "{do: redeal}",
                "{do: apply_fog}, {do: redeal}",
                "fog[12].effects[0]: 'apply_fog': must be the card's last effect",
            ),
            (
                "rewards.yaml",
                "{do: swap_hands}",
                "{do: draw_reward, count: 1}",
                "rewards[8].effects[0]: 'draw_reward': a Reward must not draw Rewards",
            ),
            (
                "rewards.yaml",
                "{do: swap_hands}",
                "{do: apply_fog}",
                "rewards[8].effects[0]: 'apply_fog': a Reward must not draw Rewards, and a Fog card would",
            ),
            (
                "rewards.yaml",
                "{do: swap_hands}",
                "{do: hand_limit, amount: -1}",
                "rewards[8].effects[0]: 'hand_limit': must be on an ongoing curse, not on a Reward",
            ),
            (
                "unlocked.yaml",
                "replaces_strength: 5",
                "replaces_strength: 9",
                "unlocked.dragon.replaces_strength: 9: must be the strength of a dragon in monsters",
            ),
            (
                "unlocked.yaml",
                "name: {value: Noon Dragon",
                "name: {value: Soot Dragon",
                "unlocked.dragon.name: 'Soot Dragon': is there already; every name must be unique",
            ),
            ("unlocked.yaml", "    count: 1", "    count: 2", "unlocked.reward.count: 2: must be 1"),
            (
                "levels.yaml",
                '- "M+M+M+"',
                '- "M+M-M+"',
                "levels.I-a.pattern[2]: M- at column 3 is not covered: a card accessible from the start",
            ),
            (
                "levels.yaml",
                "estimate: thumbs",
                "estimate: loud",
                "levels.I-a.estimate: 'loud': must be 'thumbs'",
            ),
            ("levels.yaml", "  I-a:", "  I-z:", "levels.I-z: 'I-z': must be 'I-a', 'I-b', 'I-c', 'I-d',"),
            ("levels.yaml", "source: house", "source: mine", "source: 'mine': must be printed or house"),
            (
                "spells.yaml",
                "source: house",
                "source: [house]",
                "spells.source: a list or mapping: must be printed",
            ),
            (
                "fog.yaml",
                "name: Clear Spring",
                'name: "Clear \\e[2J Spring"',
                r"fog[0].name: 'Clear \x1b[2J Spring': must be letters, numbers and signs",
            ),
            (
                "spells.yaml",
                "1: 11",
                "1: 2020-13-45",
                "spells[1]: '2020-13-45': must be a plain number, word",
            ),
            ("spells.yaml", "1: 11", "? [1]\n  : 11", "spells.?: must be a plain key"),
        ],
    )
    def test_a_wrong_entry(self, refused: Refused, file: str, old: str, new: str, message: str) -> None:
        found = refused(file, old, new)
        assert found.startswith(f"{file}, line {line_of(file, old)}, {message}")

    @pytest.mark.parametrize(
        ("file", "old", "new", "message"),
        [
            (
                "fog.yaml",
                "count: 1\n    effects:\n      - {do: discard",
                "count: 17\n    effects:\n      - {do: discard",
                "fog.yaml, line 4, fog: 17 cards that apply a Fog card: must be at most 16",
            ),
            (
                "fog.yaml",
                "kind: curse, ongoing: false",
                "kind: curse, ongoing: true",
                "fog.yaml, line 23, fog[8].effects[0]: 'discard': an ongoing curse must be only forbid",
            ),
            (
                "fog.yaml",
                "kind: curse, ongoing: true",
                "kind: curse, ongoing: false",
                "fog.yaml, line 43, fog[15].effects[0]: 'forbid': lasts for the level, so the card must",
            ),
            (
                "levels.yaml",
                '- " M-M- "',
                '- " M-F- "',
                "levels.yaml, line 12, levels.I-a.pattern: 1 fog slots: there must be none before chapter II",
            ),
            (
                "levels.yaml",
                '- "L-  F-  L-"\n      - " M-M-M-M- "',
                '- "L-L-L-L-L-"\n      - " L-L-L-L- "',
                "levels.yaml, line 67, levels.II-c.pattern: 9 lieutenant slots: must be at most 6, the",
            ),
            (
                "unlocked.yaml",
                "- {do: redeal}",
                "- {do: redeal}\n      - {do: draw_reward, count: 1}",
                "unlocked.yaml, line 13, unlocked.reward.effects[1]: 'draw_reward': a Reward must not draw",
            ),
            (
                "spells.yaml",
                "1: 11\n  2: 10",
                "1: &many 11\n  2: *many",
                "spells.yaml, line 10, spells[2]: an alias (*): must be written out",
            ),
            (
                "spells.yaml",
                "1: 11\n  2: 10\n  3: 8",
                "3: 8",
                "spells.yaml, line 7, spells: 19 spells: must be at least 20, to deal every hand",
            ),
            (
                "spells.yaml",
                "1: 11\n  2: 10\n  3: 8\n  4: 6\n  5: 5",
                "1: 20\n  2: 20\n  3: 20\n  4: 1",
                "spells.yaml, line 7, spells: 65 spells with those that are added: must be at most 64",
            ),
        ],
    )
    def test_what_does_not_fit_together(
        self, refused: Refused, file: str, old: str, new: str, message: str
    ) -> None:
        assert refused(file, old, new).startswith(message)

    def test_a_value_without_a_source(self, refused: Refused) -> None:
        message = refused("levels.yaml", "source: house", "")
        assert message.startswith("levels.yaml, line 9, levels.I-a.name: no source: must be marked `source: ")

    @pytest.mark.parametrize(
        ("file", "key", "most"), [("monsters.yaml", "monsters", 64), ("fog.yaml", "fog", 48)]
    )
    def test_a_deck_that_is_too_big(self, refused: Refused, file: str, key: str, most: int) -> None:
        counted = re.sub(r"count: \d+,", "count: 12,", FILES[file])
        message = refused(file, FILES[file], counted)
        shown = rf"{file}, line \d+, {key}: \d+ cards with the one that is unlocked: must be at most {most}"
        assert re.fullmatch(shown, message)

    def test_a_missing_level(self, refused: Refused) -> None:
        start = FILES["levels.yaml"].index("  I-b:")
        end = FILES["levels.yaml"].index("  I-c:")
        message = refused("levels.yaml", FILES["levels.yaml"][start:end], "")
        assert (
            message == f"levels.yaml, line 7, levels: level I-b is missing: there must be {', '.join(LEVELS)}"
        )

    def test_a_missing_section(self, refused: Refused) -> None:
        message = refused("rewards.yaml", FILES["rewards.yaml"], "source: house\n")
        assert message.startswith("cards: the key 'rewards' is missing: there must be spells, added_spells,")

    def test_a_section_in_two_files(self, refused: Refused) -> None:
        message = refused("unlocked.yaml", "unlocked:", "rewards: []\nunlocked:")
        assert (
            message
            == "unlocked.yaml, line 2, rewards: is in rewards.yaml, line 4 already: must be written once"
        )

    def test_every_fog_card_applies_another(self, refused: Refused) -> None:
        start = FILES["fog.yaml"].index("  - ")
        cards = "  - {name: Mist, kind: curse, ongoing: false, count: 3, effects: [{do: apply_fog}]}\n"
        message = refused("fog.yaml", FILES["fog.yaml"][start:], cards)
        assert message.startswith("fog.yaml, line 4, fog: every Fog card applies another one, without end")

    def test_the_first_of_several_errors_is_told_in_the_order_of_the_file(self, refused: Refused) -> None:
        message = refused("spells.yaml", "  1: 11\n  2: 10", "  1: -1\n  2: none")
        assert message.endswith("line 9, spells[1]: -1: must be greater than or equal to 1 (and 1 more)")

    @pytest.mark.parametrize(
        ("old", "new", "message"),
        [
            ("1: 11", "1: [11", "expected ',' or ']'"),
            ("1: 11", "1: 11: 11", "mapping values are not allowed here"),
            ("1: 11", "1:\t- 11", "found character '\\t' that cannot start any token"),
        ],
    )
    def test_what_is_not_yaml(self, refused: Refused, old: str, new: str, message: str) -> None:
        found = refused("spells.yaml", old, new)
        assert re.match(r"spells.yaml, line (9|10): not YAML: ", found)
        assert message in found

    def test_files_that_are_no_card_files(self, tmp_path: Path) -> None:
        for content, message in [
            (b"", "line 1: must be a mapping"),
            (b"- 1", "line 1: must be a mapping"),
            (b"\xff\xfe", "must be text in UTF-8"),
            (b"a: \x00", "not YAML"),
            (b"[" * 1000, "must not be nested so deeply"),
        ]:
            file = tmp_path / "mine.yaml"
            file.write_bytes(content)
            with pytest.raises(CardFileError, match=rf"^{re.escape(str(file))}.*{message}"):
                load_cards(file)

    def test_no_file_and_an_empty_folder(self, tmp_path: Path) -> None:
        with pytest.raises(CardFileError, match=r"none\.yaml: No such file or directory"):
            load_cards(tmp_path / "none.yaml")
        with pytest.raises(CardFileError, match=r"must be a YAML file, or a folder with \*\.yaml files"):
            load_cards(tmp_path)


class TestOwnCards:
    """Whoever owns the box points to a file or a folder."""

    def test_one_file_is_as_good_as_a_folder(self, tmp_path: Path) -> None:
        sections: dict[str, object] = {}
        for text in FILES.values():
            sections |= yaml.safe_load(text)
        sections["source"] = "house"
        file = tmp_path / "mine.yaml"
        file.write_text(yaml.safe_dump(sections), encoding="utf-8")
        assert load_cards(file).model_dump() == CARDS.model_dump()
        assert load_cards(str(file)).sources == CARDS.sources

    def test_a_new_card_and_a_new_level_need_no_code(self, tmp_path: Path) -> None:
        for name, text in FILES.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        card = "  - {name: Old Friend, count: 1, effects: [{do: recover, who: player, which: lowest}]}\n"
        (tmp_path / "rewards.yaml").write_text(FILES["rewards.yaml"] + card, encoding="utf-8")
        level = FILES["levels.yaml"].replace('      - "  M-  "\n', "", 1)
        (tmp_path / "levels.yaml").write_text(level, encoding="utf-8")
        cards = load_cards(tmp_path)
        assert cards.rewards[-1].name == "Old Friend"
        assert len(cards.levels["I-a"].horde.slots) == 5


def test_training_runs_in_the_folder_of_the_house_cards_are_not_cards() -> None:
    names = list(house_files())
    assert names == sorted(names)
    assert {"levels.yaml", "spells.yaml"} <= set(names)
    assert not any("\ntask:" in "\n" + text for text in house_files().values())
