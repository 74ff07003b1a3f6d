"""A team's client: submit, follow, download, from a script.

Needs the ``contest`` extra, and nothing of the organizer's but the address.

::

    with Client("https://contest.example", team="Iwashi", password="…") as contest:
        contest.download("final/data", "T.csv")
        entry = contest.submit_mask("masked.csv")
        print(contest.wait(entry["id"]))
"""

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from pathlib import Path
from typing import Any, Self
from urllib.parse import quote

from sudare.contest.errors import ContestError
from sudare.contest.kit import kind_and_target, read_package
from sudare.core import MissingPartError, language
from sudare.engine.formats import Folder, writing

try:
    import httpx
except ModuleNotFoundError:
    raise MissingPartError(
        "contests need {library}; install it with: pip install 'sudare[contest]'", library="httpx"
    ) from None

Json = dict[str, Any]
PathLike = str | os.PathLike[str]
_BLOCK = 1 << 16
_SHORTEST_PAUSE = 1.0  # seconds before a file is sent again, whatever the contest says


class RefusedRequestError(ContestError):
    """What the server refused; ``status`` is its HTTP status."""

    @property
    def status(self) -> int:
        """The HTTP status."""
        return int(str(self.facts["status"]))


class UnreachableError(ContestError):
    """No contest answers at the address."""


class Client:
    """A team, logged in.

    Parameters
    ----------
    url
        Address of the contest, such as ``https://contest.example``.
    team, password
        As registered.
    timeout
        Seconds to wait for an answer, and in all for the contest to take a file after one too many.

    Raises
    ------
    RefusedRequestError
        What the contest refuses, with its reason.
    UnreachableError
        Where no contest answers at the address.
    """

    def __init__(self, url: str, team: str, password: str, *, timeout: float = 60.0) -> None:
        self._url, self._timeout = url.rstrip("/"), timeout
        with self._reaching():
            self._http = httpx.Client(
                base_url=self._url + "/api/",
                timeout=timeout,
                headers={"Accept-Language": language()},
            )
        try:
            given = self._ask("POST", "sessions", json={"team": team, "password": password})
            if not isinstance(given, dict) or "token" not in given:
                raise self._not_a_contest()
        except BaseException:
            self._http.close()
            raise
        self._http.headers["Authorization"] = f"Bearer {given['token']}"

    @classmethod
    def register(
        cls, url: str, team: str, password: str, *, address: str = "", timeout: float = 60.0
    ) -> Self:
        """Make the account of a team while registration is open, and log in.

        Mail of the contest, if it sends any, goes to the address.
        """
        try:
            answer = httpx.post(
                f"{url.rstrip('/')}/api/teams",
                json={"team": team, "password": password, "address": address},
                headers={"Accept-Language": language()},
                timeout=timeout,
            )
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(url.rstrip("/"), error) from error
        if answer.is_error:
            _refuse(answer)
        return cls(url, team, password, timeout=timeout)

    @property
    def team(self) -> str:
        """The name of the team as the contest writes it."""
        return str(self._ask("GET", "sessions/current")["name"])

    def rules(self) -> str:
        """Return the rules of the contest as the text of their file."""
        with self._reaching():
            answer = self._http.get(f"{self._url}/rules/contest.toml")
        if answer.is_error:
            _refuse(answer)
        return answer.text

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Log out, if the session has not ended by itself."""
        if self._http.is_closed:
            return
        try:
            with suppress(ContestError):
                self._ask("DELETE", "sessions/current")
        finally:
            self._http.close()

    def status(self) -> Json:
        """Return where the contest stands, how far evaluation is, and what the team has sent."""
        return {
            **self._ask("GET", "contest"),
            "progress": self._ask("GET", "progress"),
            "entries": self._ask("GET", "entries"),
        }

    def submit_mask(self, path: PathLike) -> Json:
        """Send a masked file; return the entry, which is scored later."""
        return self._send("masks", Path(path))

    def submit_attack(self, target: str, path: PathLike, *, kind: str | None = None) -> Json:
        """Send an attack on a team's file; return the entry.

        ``kind`` says which attack it is where the rules have several.
        """
        return self._send(f"attacks/{quote(target, safe='')}", Path(path), kind=kind)

    def submit_package(self, path: PathLike) -> list[Json]:
        """Send the files of a package made by ``sudare contest pack``; return the entries."""
        with Folder() as folder:
            entries = []
            for name, file in read_package(Path(path), folder).items():
                kind, target = kind_and_target(name)
                if target is None:
                    entries.append(self.submit_mask(file))
                else:
                    entries.append(self.submit_attack(target, file, kind=kind))
            return entries

    def entry(self, number: int) -> Json:
        """Return the state of one entry."""
        return self._ask("GET", f"entries/{number}")

    def choose(self, number: int) -> Json:
        """Let an accepted masked file count instead of the latest; return the entry."""
        return self._ask("POST", f"entries/{number}/choose")

    def wait(self, number: int, *, seconds: float = 600.0, every: float = 1.0) -> Json:
        """Return an entry when it is evaluated, or as it is after some seconds."""
        end = time.monotonic() + seconds
        while True:
            entry = self.entry(number)
            if entry["status"] not in ("waiting", "running") or time.monotonic() >= end:
                return entry
            time.sleep(every)

    def files(self) -> list[Json]:
        """Return the files that can be had now: their keys, names and sizes."""
        return self._ask("GET", "files")

    def download(self, key: str, path: PathLike, *, overwrite: bool = False) -> Path:
        """Save a file; it appears whole or not at all."""
        target = Path(path)
        with (
            writing(target, overwrite=overwrite) as draft,
            self._reaching(),
            self._http.stream("GET", f"files/{quote(key)}") as answer,
            draft.open("wb") as file,
        ):
            if not answer.is_success:
                answer.read()
                self._content(answer)
            for block in answer.iter_bytes(_BLOCK):
                file.write(block)
        return target

    def results(self, round_: str = "final") -> Json:
        """Return the leaderboard of a round, its attackers, who hit whom, and how many wait."""
        return self._ask("GET", f"results/{quote(round_, safe='')}")

    def _send(self, address: str, path: Path, **asked: str | None) -> Json:
        given = {name: value for name, value in asked.items() if value is not None}
        end = 0.0
        while True:
            with path.open("rb") as file, self._reaching():
                answer = self._http.post(
                    address,
                    params={"filename": path.name, **given},
                    content=iter(lambda: file.read(_BLOCK), b""),
                    headers={"Content-Type": "application/octet-stream"},
                )
            now, pause = time.monotonic(), _pause(answer.headers.get("Retry-After", ""))
            end = end or now + self._timeout
            if not answer.is_error or now + pause > end:
                return self._content(answer)
            time.sleep(pause)

    def _ask(self, method: str, address: str, **request: Any) -> Any:
        with self._reaching():
            answer = self._http.request(method, address, **request)
        return self._content(answer)

    @contextmanager
    def _reaching(self) -> Iterator[None]:
        """Say which address it is that cannot be reached."""
        try:
            yield
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise _unreachable(self._url, error) from error

    def _content(self, answer: httpx.Response) -> Any:
        """Return what the contest says, or raise what it refuses."""
        if answer.is_error:
            _refuse(answer)
        if answer.is_redirect:
            target = answer.url.join(answer.headers["Location"])
            raise UnreachableError(
                "{address} redirects to {place}; use that address.",
                address=self._url,
                place=str(target).partition("/api/")[0],
            )
        try:
            return answer.json() if answer.content else None
        except ValueError:
            raise self._not_a_contest() from None

    def _not_a_contest(self) -> UnreachableError:
        return UnreachableError(
            "the server at {address} is not a sudare contest.", address=self._url
        )


def _unreachable(address: str, error: Exception) -> UnreachableError:
    return UnreachableError(
        "cannot reach a contest at {address}: {reason}.",
        address=address,
        reason=str(error).rstrip(".") or type(error).__name__,
    )


def _pause(retry_after: str) -> float:
    """Return the seconds that a Retry-After header asks for: a number of them, or a date."""
    if retry_after.isdecimal():
        return max(_SHORTEST_PAUSE, float(retry_after))
    try:
        until = parsedate_to_datetime(retry_after)
    except ValueError:
        return float("inf")
    return max(_SHORTEST_PAUSE, (until.replace(tzinfo=UTC) - datetime.now(UTC)).total_seconds())


def _refuse(answer: httpx.Response) -> None:
    try:
        content = answer.json()
    except ValueError:
        content = {}
    reason = content.get("message") if isinstance(content, Mapping) else None
    raise RefusedRequestError(
        "the contest refused: {reason}",
        reason=reason or answer.reason_phrase,
        status=answer.status_code,
    )
