"""A real browser for tests: Chromium, where there is one."""

import os
import shutil

CHROMIUM = (
    os.environ.get("UNSPOKEN_CHROMIUM")
    or shutil.which("chromium")
    or shutil.which("chromium-browser")
    or shutil.which("google-chrome")
)
"""Its path; ``None`` where there is none."""

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
