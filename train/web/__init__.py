"""The pages of the browser: plain scripts and styles, with no build step and nothing from the network.

``TABLE_SCRIPTS``, in this order, and ``table.css`` draw a table (see ``table.js``); a page without a network
inlines them. ``play.html`` is the page of a person at the table, with scripts and styles of its own.
"""

from importlib import resources

TABLE_SCRIPTS = ("elements.js", "planets.js", "emblems.js", "moves.js", "syzygy.js", "syncro.js", "table.js")
"""The scripts that a table needs, in the order in which they are loaded."""


def read(name: str) -> str:
    """The text of one of the files of this folder, such as ``"table.css"``."""
    return (resources.files(__name__) / name).read_text(encoding="utf-8")
