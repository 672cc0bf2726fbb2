"""Reads files that gzip has compressed."""

from __future__ import annotations

import zlib

from hlokit.errors import Diagnostic, ParseError
from hlokit.files.reading import LARGEST_STREAM, check_expansion

GZIP_MAGIC = b"\x1f\x8b"
# A file may have a million members; the reader copies at most twice the bytes that each member takes.
_FIRST_READ = 1 << 9
_GZIP_FORMAT = 31  # of zlib's `wbits`: a gzip header and a checksum


def decompressed(data: bytes, filename: str) -> bytes:
    """The contents of a gzip file: all its members, concatenated.

    Raises:
      ParseError: the file is damaged, or holds more than 8 GiB.
    """
    pieces: list[bytes] = []
    size, start = 0, 0
    while data.startswith(GZIP_MAGIC, start):
        reader = zlib.decompressobj(_GZIP_FORMAT)
        read = _FIRST_READ
        while not reader.eof:
            packed = data[start : start + read]
            if not packed:
                raise _failure("damaged gzip file: it is cut off", filename)
            start += len(packed)
            read *= 2
            try:
                piece = reader.decompress(packed, LARGEST_STREAM + 1 - size)
                size += len(piece)
                check_expansion(len(data), size)
            except zlib.error as error:
                raise _failure(f"damaged gzip file: {error}", filename) from None
            except ValueError as error:
                raise _failure(str(error), filename) from None
            if size > LARGEST_STREAM:
                raise _failure(
                    f"the gzip file holds more than {LARGEST_STREAM} bytes: decompress it first", filename
                )
            pieces.append(piece)
        start -= len(reader.unused_data)
    return b"".join(pieces)


def _failure(message: str, filename: str) -> ParseError:
    return ParseError((Diagnostic("error", message, filename),))
