"""Keeping memory that is used again at once.

Training makes and drops tensors of a megabyte all the time. The C library of Linux returns such memory to
the system and gets it back as new, zeroed pages, which costs a good part of the time of learning on a CPU.
Told to keep what was freed, it hands the same memory out again.
"""

import ctypes
import sys

_TRIM_THRESHOLD = -1
_MMAP_THRESHOLD = -3
_MOST = 1 << 30


def keep_freed_memory() -> None:
    """Have this process keep up to a gigabyte of freed memory; without glibc nothing happens."""
    if not sys.platform.startswith("linux"):
        return
    try:
        set_option = ctypes.CDLL("libc.so.6").mallopt
    except (OSError, AttributeError):
        return
    set_option(_MMAP_THRESHOLD, _MOST)
    set_option(_TRIM_THRESHOLD, _MOST)
