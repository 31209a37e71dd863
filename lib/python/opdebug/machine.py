"""What the native object needs of the machine. Imports nothing of the package, so it also works where the object does not load."""

import os
import platform
import re
from typing import Tuple

NATIVE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_native.so")


def needed_glibc(path: str = NATIVE) -> Tuple[int, int]:
    """The oldest glibc that has all symbols of the object: the newest version among the names of versions in it."""
    with open(path, "rb") as file:
        versions = re.findall(rb"\0GLIBC_(\d+)\.(\d+)(?:\.\d+)?(?=\0)", file.read())
    return max((int(major), int(minor)) for major, minor in versions)


def requirement() -> str:
    """One line: what the object needs, and what the machine has."""
    here = " ".join(platform.libc_ver()).strip() or "no glibc"
    return "needs glibc {}.{} or newer; this machine has {}, {}".format(*needed_glibc(), here, platform.machine())
