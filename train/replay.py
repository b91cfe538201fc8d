"""Look at a recorded game, in the terminal or in a browser, or keep what one seat saw of it.

In the terminal: Enter or n goes on, b goes back, a number goes to that step, e to the end, q leaves.
"""

import argparse
import io
import sys
from contextlib import nullcontext
from pathlib import Path

from unspoken.envs.engine.whole_file import write_whole
from unspoken.envs.faces.display import shows_colour
from unspoken.train.replay_page import page
from unspoken.train.seat_file import save_seat_replay, seat_replay
from unspoken.train.showing import (
    Showing,
    View,
    describe_result,
    drawn,
    likely_actions,
    open_recording,
    view_name,
)
from unspoken.train.text import percent

CLEAR = "\x1b[H\x1b[2J"
"""What clears a terminal."""
MOST_ACTIONS = 6
"""Actions that are listed with their probabilities."""
BAR = 20
"""Characters of a probability of 1."""
COLOURS = 256
"""Of a picture in a GIF: the most that there can be."""
SHADES = 64
"""Of them, for what covers most of a picture."""
LAST_PICTURE = 4
"""How many times longer the last picture of a GIF stays."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``unspoken replay``."""
    parser.add_argument("file", type=Path, metavar="FILE", help="a recorded game, or what one seat saw of it")
    parser.add_argument(
        "--seat", type=int, metavar="N", help="only what this seat could know (default: all cards turned up)"
    )
    parser.add_argument("--all", action="store_true", help="print every step and stop")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write what the seat saw to its own file")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write a page for a browser")
    parser.add_argument("--gif", type=Path, metavar="FILE", help="write a moving picture")
    parser.add_argument(
        "--ms", type=int, default=700, metavar="T", help="milliseconds a picture (default 700)"
    )
    parser.add_argument(
        "--cards", type=Path, metavar="PATH", help="the cards of Syncro, if played with other than our own"
    )


def run(arguments: argparse.Namespace) -> None:
    """``unspoken replay``.

    Raises:
        ValueError: an argument is not allowed, or the recording cannot be used. OSError: a file cannot be
            written.
    """
    if not 20 <= arguments.ms <= 60_000:
        raise ValueError(f"--ms {arguments.ms}: must be from 20 to 60000")
    if arguments.out is not None and arguments.seat is None:
        raise ValueError(f"--out {arguments.out}: needs --seat, whose view is to be written")
    showing = open_recording(arguments.file, arguments.cards)
    view = showing.views[0] if arguments.seat is None else showing.check_view(arguments.seat)
    if arguments.out is not None:
        export_seat(showing, arguments.seat, arguments.out)
    if arguments.html is not None:
        views = showing.views if arguments.seat is None else [view]
        write_whole(arguments.html, page(showing, views))
        print(f"{arguments.html}: {len(showing.steps)} steps, {arguments.html.stat().st_size:,} bytes")
    if arguments.gif is not None:
        write_whole(arguments.gif, moving_picture(showing, view, arguments.ms))
        print(f"{arguments.gif}: {len(showing.steps)} pictures, {arguments.gif.stat().st_size:,} bytes")
    if arguments.all:
        print("\n".join(step_text(showing, view, number) for number in range(len(showing.steps))))
    elif not (arguments.out or arguments.html or arguments.gif):
        browse(showing, view)


def export_seat(showing: Showing, seat: int, path: Path) -> None:
    """Write what ``seat`` saw to ``path``.

    Raises:
        ValueError: the recording is itself what one seat saw.
    """
    if showing.replay is None:
        raise ValueError(f"--out {path}: this recording is what one seat saw; it is such a file already")
    seen = seat_replay(showing.replay, seat, showing.game)
    save_seat_replay(path, seen)
    print(f"{path}: {len(seen.steps)} steps as player_{seat} saw them")


def step_text(showing: Showing, view: View, number: int, colour: bool | None = None) -> str:
    """One step as text: the table, and what was done here with what was thought about it, if known.

    ``colour``: ``None`` colours where the terminal can.
    """
    game, step = showing.game, showing.steps[number]
    last = len(showing.steps) - 1
    colours = shows_colour() if colour is None else colour
    lines = [f"Step {number} of {last}", game.renderer.draw_text(game, step.scenes[view], colours)]
    decision = step.decision_for(view)
    if decision is not None:
        lines.append(f"player_{decision.seat} chooses {game.action_name(decision.action)}.")
        likely = likely_actions(decision) or []
        names = [game.action_name(action) for action, _ in likely[:MOST_ACTIONS]]
        width = max(map(len, names), default=0)
        for name, (_, chance) in zip(names, likely, strict=False):
            lines.append(f"  {name:<{width}} {percent(chance):>7} {'#' * round(BAR * chance)}".rstrip())
        if len(likely) > MOST_ACTIONS:
            lines.append(f"  and {len(likely) - MOST_ACTIONS} less likely")
        if decision.value is not None:
            lines.append(f"  expected reward {decision.value:.2f}")
    elif number == last:
        lines.append(describe_result(showing))
    return "\n".join(lines) + "\n"


def browse(showing: Showing, view: View) -> None:
    """Show step after step, as the person at the terminal asks for them."""
    clear = CLEAR if sys.stdin.isatty() and sys.stdout.isatty() else ""
    last = len(showing.steps) - 1
    print(f"{clear}{showing.task}: {view_name(showing, view)}. {describe_result(showing)}\n")
    print(step_text(showing, view, 0))
    number = 0
    while True:
        on = "on" if number < last else "leave"
        print(f"[Enter] {on}, b back, e end, a number from 0 to {last}, q quit: ", end="", flush=True)
        asked = _asked(number, last)
        if asked is None:
            return
        number = asked
        print(clear + step_text(showing, view, number))


def _asked(number: int, last: int) -> int | None:
    """The step that is asked for next; ``None`` to leave."""
    while True:
        line = sys.stdin.readline()
        word = line.strip().lower()
        if not line or word in ("q", "quit"):
            print()
            return None
        if word in ("", "n", "next"):
            return number + 1 if number < last else None
        if word in ("b", "back"):
            return max(0, number - 1)
        if word in ("e", "end"):
            return last
        if word.isascii() and word.isdigit() and len(word) < 9 and int(word) <= last:
            return int(word)
        print(f"{line.strip()!r}: must be Enter, b, e, q or a number from 0 to {last}: ", end="", flush=True)


def moving_picture(showing: Showing, view: View, milliseconds: int) -> bytes:
    """The game as an animated GIF, ``milliseconds`` a step."""
    from PIL import Image

    def picture(number: int) -> Image.Image:
        with drawn(showing.task, number) if showing.replay is None else nullcontext():
            drawing = showing.game.renderer.draw_image(showing.game, showing.steps[number].scenes[view])
        return Image.fromarray(drawing)

    # One palette for all pictures: only what changes from one to the next is then written.
    last = len(showing.steps) - 1
    samples = [picture(number) for number in (0, last // 2, last)]
    sheet = Image.new("RGB", (samples[0].width, sum(sample.height for sample in samples)))
    top = 0
    for sample in samples:
        sheet.paste(sample, (0, top))
        top += sample.height
    # Some colours for what is large, such as the background's shades, and the others for all that there are.
    shades = sheet.quantize(SHADES).getpalette() or []
    others = sheet.quantize(COLOURS - SHADES, Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette(shades[: 3 * SHADES] + others[: 3 * (COLOURS - SHADES)])
    pictures = (
        picture(number).quantize(palette=palette, dither=Image.Dither.NONE) for number in range(last + 1)
    )
    file = io.BytesIO()
    durations = [milliseconds] * last + [LAST_PICTURE * milliseconds]
    next(pictures).save(file, "GIF", save_all=True, append_images=pictures, duration=durations, loop=0)
    return file.getvalue()
