"""Writing files whole or not at all."""

import errno
import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: str | os.PathLike[str], data: str | bytes) -> None:
    """Write a file whole or not at all: what was at ``path`` before stays until then.

    A link is followed. Text is written as UTF-8.

    Raises:
        OSError: the file cannot be written, or what is at ``path`` is a device or the like.
    """
    file = Path(os.path.realpath(path))
    if file.exists() and not file.is_file() and not file.is_dir():
        raise OSError(errno.EINVAL, "neither a file nor new, cannot be replaced", os.fspath(path))
    temporary = file.with_name(file.name + ".tmp")
    try:
        with temporary.open("wb") as stream:
            stream.write(data.encode() if isinstance(data, str) else data)
            stream.flush()
            os.fsync(stream.fileno())
        temporary.replace(file)
    except OSError:
        with suppress(OSError):
            temporary.unlink()
        raise
