"""A workbench served over a real socket, and browsers that look at it."""

import os
import re
import ssl
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import httpx
import uvicorn

from sudare.web import CSRF_FIELD
from sudare.workbench import WorkbenchSite, create_app
from sudare.workbench.access import Origins, Sessions, access_cookie

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)  # loading all takes longer than a request


@dataclass
class Bench:
    """A workbench on a port of its own."""

    folder: Path
    site: WorkbenchSite = field(init=False)
    url: str = ""
    clients: list[httpx.Client] = field(default_factory=list)

    def __enter__(self) -> Self:
        self.folder.mkdir(exist_ok=True)
        state = self.folder / "state"
        state.mkdir(exist_ok=True)
        self.site = WorkbenchSite(state, Sessions(), working_folder=self.folder)
        config = uvicorn.Config(create_app(self.site), port=0, log_level="error", lifespan="off")
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run)
        self._thread.start()
        while not self._server.started:
            time.sleep(0.005)
        port = self._server.servers[0].sockets[0].getsockname()[1]
        self.site.origins = Origins.of_port(port)
        self.url = f"http://127.0.0.1:{port}"
        return self

    def __exit__(self, *_: object) -> None:
        for client in self.clients:
            client.close()
        self._server.should_exit = True
        self._server.force_exit = True
        self._thread.join()
        self.site.close()

    def link(self, path: str = "/") -> str:
        """Return a link that opens a session."""
        return f"{self.url}{path}#{self.site.sessions.token}"

    def environment(self) -> dict[str, str]:
        """Variables for a command that works on the same files."""
        return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}

    def stranger(self) -> httpx.Client:
        """Somebody without a session."""
        client = httpx.Client(
            base_url=self.url,
            headers={"accept-language": "en", "origin": self.url},
            timeout=60,
            verify=NO_CERTIFICATES,
        )
        self.clients.append(client)
        return client

    def browser(self) -> httpx.Client:
        """A browser with a session."""
        client = self.stranger()
        cookie = self.site.sessions.open(self.site.sessions.token)
        assert cookie is not None
        client.cookies.set(access_cookie(client.base_url.port), cookie, domain="127.0.0.1")
        return client

    def opened(self, path: Path) -> str:
        """Open a table, wait until it is counted, and return the address of its project."""
        address = self.site.opening(path, {})
        if address.startswith("/opening/"):
            job = self.site.jobs.wait(address.rpartition("/")[2])
            assert job.state == "done", job.error
            address = f"/project/{self.site.open_project(Path(str(job.result)))}/columns"
        project = address.removesuffix("/columns")
        self.wait(project)
        return project

    def finish(self) -> None:
        """Wait for all jobs, whoever started them."""
        for job in self.site.jobs.jobs():
            while not self.site.jobs.wait(job.id).is_over:
                pass

    def wait(self, project: str) -> None:
        """Wait until the table of a project is counted."""
        opened = self.site.opened(project.rpartition("/")[2])
        for _ in range(600):
            state = self.site.tables.state(opened, opened.current())
            if state.job is None:
                return
            time.sleep(0.05)
        raise AssertionError("the table is not counted")


def hidden(page: httpx.Response, name: str) -> str:
    """The value of a hidden field of a page."""
    match = re.search(rf'name="{name}" value="([^"]*)"', page.text)
    assert match is not None, page.text
    return match[1]


def send(client: httpx.Client, path: str, page: str, /, **fields: str) -> httpx.Response:
    """Send a form from one of our pages."""
    shown = client.get(page)
    known = {CSRF_FIELD: hidden(shown, CSRF_FIELD)}
    if 'name="revision"' in shown.text:
        known["revision"] = hidden(shown, "revision")
    return client.post(path, data={**known, **fields})
