"""Uploads: streamed to disk, their bytes counted, and nothing believed about them."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from sudare.core import say
from sudare.web.formatting import shown_file_name
from sudare.web.forms import CSRF_FIELD
from sudare.web.middleware import SMALL_BODY_BYTES, too_large

if TYPE_CHECKING:
    from python_multipart.multipart import MultipartCallbacks

SILENCE_SECONDS = 30.0  # that a sender may say nothing


@dataclass
class Upload:
    """A file on disk that is not yet accepted, and the hidden token of the form it came with."""

    path: Path
    filename: str = ""
    size: int = 0
    csrf_token: str = ""


@asynccontextmanager
async def receive_upload(request: Request, draft: Path, limit: int) -> AsyncIterator[Upload]:
    """Receive a file sent as it is, or as one field of a form; it is gone after the block.

    To keep it, move it away inside the block.

    Parameters
    ----------
    request
        What is sent.
    draft
        A new, empty file that its owner alone can read.
    limit
        The most bytes that are kept.

    Raises
    ------
    HTTPException
        413 when it is larger than ``limit`` or the form around it than a form needs to be, 415 when
        it is compressed on the way, 408 when the sender falls silent, 400 when it is not a form, or
        one without a file, or the connection breaks.
    """
    try:
        _refuse_compressed(request)
        with draft.open("r+b") as file:
            upload = await _write_body(request, file, draft, limit)
        if upload.size > limit:
            raise too_large(limit)
        yield upload
    finally:
        draft.unlink(missing_ok=True)


def _refuse_compressed(request: Request) -> None:
    if request.headers.get("content-encoding", "identity") != "identity":
        raise HTTPException(415, say("send the file as it is, not compressed."))


async def _write_body(request: Request, file: BinaryIO, path: Path, limit: int) -> Upload:
    media_type, options = parse_options_header(request.headers.get("content-type", ""))
    upload = Upload(path)
    if media_type == b"multipart/form-data":
        await _read_form(request, _Form(upload, file, limit), options.get(b"boundary", b""))
    else:
        upload.filename = shown_file_name(request.query_params.get("filename", ""))
        async for chunk in _chunks(request):
            _write_chunk(upload, file, chunk, limit)
    return upload


async def _read_form(request: Request, form: "_Form", boundary: bytes) -> None:
    """Read a form; all that is not its file is small: names and headers, and what follows it."""
    received_bytes = 0
    try:
        parser = MultipartParser(boundary, form.callbacks())
        async for chunk in _chunks(request):
            received_bytes += len(chunk)
            parser.write(chunk)
            if received_bytes - form.upload.size > SMALL_BODY_BYTES:
                message = say("the form contains too much besides the file.")
                raise HTTPException(413, message, {"Connection": "close"})
        parser.finalize()
    except MultipartParseError:
        raise HTTPException(400, say("the form cannot be read.")) from None
    if not form.complete:
        raise HTTPException(400, say("the form cannot be read."))
    if not form.upload.filename:
        raise HTTPException(400, say("the form holds no file."))


def _write_chunk(upload: Upload, file: BinaryIO, chunk: bytes, limit: int) -> None:
    """Keep what is within the limit; hear a sender out up to twice as much, then hang up.

    A browser reads no answer before it has sent everything.
    """
    upload.size += len(chunk)
    if upload.size <= limit:
        file.write(chunk)
    elif upload.size > 2 * limit:
        raise too_large(limit, hang_up=True)


async def _chunks(request: Request) -> AsyncIterator[bytes]:
    stream = request.stream()
    while True:
        try:
            yield await asyncio.wait_for(anext(stream), SILENCE_SECONDS)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise HTTPException(408, say("the file did not arrive in time.")) from None
        except ClientDisconnect:
            raise HTTPException(400, say("the connection broke off.")) from None


class _Form:
    """The parts of a form as they arrive: the hidden token to memory, the one file to disk."""

    def __init__(self, upload: Upload, file: BinaryIO, limit: int) -> None:
        self.upload, self.file, self.limit = upload, file, limit
        self.header: tuple[bytes, bytes] = (b"", b"")
        self.name = b""
        self.is_file = False
        self.complete = False

    def callbacks(self) -> "MultipartCallbacks":
        """Return what the parser calls, by event."""
        return {
            "on_part_begin": self._begin,
            "on_header_field": self._header_field,
            "on_header_value": self._header_value,
            "on_header_end": self._header_end,
            "on_part_data": self._data,
            "on_end": self._end,
        }

    def _begin(self) -> None:
        self.header, self.name, self.is_file = (b"", b""), b"", False

    def _header_field(self, data: bytes, start: int, end: int) -> None:
        self.header = (self.header[0] + data[start:end], self.header[1])

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self.header = (self.header[0], self.header[1] + data[start:end])

    def _header_end(self) -> None:
        name, value = self.header
        self.header = (b"", b"")
        if name.lower() != b"content-disposition":
            return
        _, options = parse_options_header(value)
        self.name = options.get(b"name", b"")
        self.is_file = bool(options.get(b"filename"))  # browsers send an empty one without a file
        if self.is_file:
            if self.upload.filename:
                raise HTTPException(400, say("send one file at a time."))
            self.upload.filename = shown_file_name(options[b"filename"].decode("utf-8", "replace"))

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self.is_file:
            _write_chunk(self.upload, self.file, data[start:end], self.limit)
        elif self.name == CSRF_FIELD.encode():
            self.upload.csrf_token += data[start:end].decode("utf-8", "replace")

    def _end(self) -> None:
        self.complete = True
