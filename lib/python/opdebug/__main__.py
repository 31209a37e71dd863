"""python -m opdebug --doctor: reports what the module needs of the machine, and where the program is."""

import os
import shutil
import sys
import sysconfig
from typing import List

from . import __version__
from .machine import NATIVE, requirement


def main(arguments: List[str]) -> int:
    # pip installs the program to the first or the second folder.
    folders = [sysconfig.get_path("scripts"), sysconfig.get_path("scripts", os.name + "_user"), os.environ.get("PATH", "")]
    program = shutil.which("opdebug", path=os.pathsep.join(folders))
    if arguments != ["--doctor"]:
        print(f"usage: python -m opdebug --doctor; the program is {program or 'not in PATH'}", file=sys.stderr)
        return 2
    print(f"version: {__version__}")
    print(f"module: {NATIVE}: {requirement()}")
    print(f"program: {program or 'not in PATH'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
