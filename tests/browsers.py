"""Chromium for tests, and what its pages complain of."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

from tests.lacking import lacking

PATIENCE = 120_000  # milliseconds that a busy machine may take to show something
expect.set_options(timeout=PATIENCE)

# The shell is Chromium without windows, and needs half of its processor time, or less.
_CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium")
_FLAGS = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
]


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Chromium, or Google Chrome; without either a test is skipped, and in CI it fails."""
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(
                executable_path=_CHROMIUM, channel=None if _CHROMIUM else "chrome", args=_FLAGS
            )
        except Error as error:
            lacking(f"needs Chromium or Google Chrome: {error.message.splitlines()[0]}")
        yield browser
        browser.close()


def new_window(browser: Browser, **options: Any) -> BrowserContext:
    """Return a window, in English, whose pages are waited for with patience."""
    context = browser.new_context(**{"locale": "en-US", **options})
    context.set_default_timeout(PATIENCE)
    return context


def complaints_of(page: Page) -> list[str]:
    """Return a list that grows with every error of a page; refusals by the server are none."""
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda said: (
            complaints.append(said.text)
            if said.type == "error" and "status of 4" not in said.text
            else None
        ),
    )
    return complaints
