"""Colours for text in a terminal, by the escape sequences of ANSI."""

_SEATS = (208, 39, 35, 178, 176, 105)
"""The players' colours, of the 256 that terminals have; readable on light and on dark."""
_STYLES = {"bold": "1", "faint": "2", "known": "1", "looked at": "1;7", "won": "1;32", "lost": "1;31"}


class Paint:
    """Colours text, or leaves it as it is."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def __call__(self, text: str, style: str) -> str:
        """``text`` in one of the styles by name: ``"bold"``, ``"faint"``, ``"known"``, ``"looked at"``..."""
        return self._wrap(text, _STYLES[style])

    def seat(self, text: str, seat: int, bold: bool = False) -> str:
        """``text`` in the colour of a player."""
        return self._wrap(text, f"{'1;' if bold else ''}38;5;{_SEATS[seat]}")

    def result(self, text: str, result: str | None) -> str:
        """``text`` as that of a game which is ``"won"``, lost in some other way, or not over (``None``)."""
        return text if result is None else self(text, "won" if result == "won" else "lost")

    def _wrap(self, text: str, code: str) -> str:
        # Spaces around the words stay outside, so that columns look alike with and without colour.
        words = text.strip()
        if not self.colour or not words:
            return text
        return text.replace(words, f"\x1b[{code}m{words}\x1b[0m", 1)
