"""Chromium for the tests of the pages."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = os.environ.get("UNSPOKEN_CHROMIUM") or next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on PATH or in UNSPOKEN_CHROMIUM")

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser of playwright, without a window."""
    api = pytest.importorskip("playwright.sync_api", reason="needs playwright, of the extra 'dev'")
    with api.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=_FLAGS)
        yield browser
        browser.close()
