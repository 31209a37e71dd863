#!/usr/bin/env python3
"""Compares the recipe of Conan with the CMake files: recipe.py ROOT. Prints each difference; status 1 if there is one."""

import re
import sys
from pathlib import Path
from typing import Dict

# Part of the C library.
WITHOUT_PACKAGE = {"threads"}


def packages(path: Path, pattern: str) -> Dict[str, str]:
    """Name and version of each match."""
    return {name.lower(): version for name, version in re.findall(pattern, path.read_text(encoding="utf-8"), re.MULTILINE)}


def main(root: Path) -> int:
    # What only the tests need is indented.
    used = packages(root / "lib/cmake/dependencies.cmake", r"^find_package\((\w+) ?([\d.]*)")
    found = packages(root / "lib/cmake/opdebugConfig.cmake.in", r"find_dependency\((\w+) ?([\d.]*)")
    required = packages(root / "tools/conan/conanfile.py", r'^        "(\w+)/\[>=([\d.]+) <[\d.]+\]"')
    debian = packages(root / "tools/conan/debian12.profile", r"^(\w+)/([\d.]+)$")
    differences = [f"{name}: only in the CMake files or only in the recipe" for name in (used.keys() - WITHOUT_PACKAGE) ^ required.keys()]
    differences += [f"{name}: only in the recipe or only in debian12.profile" for name in required.keys() ^ debian.keys()]
    differences += [f"{name}: CMake needs {used[name]}, the recipe {required[name]}"
                    for name in used.keys() & required.keys() if used[name] not in ("", required[name])]
    differences += [f"{name}: opdebugConfig.cmake needs it, the build does not" for name in found.keys() - used.keys()]
    print("\n".join(sorted(differences)), end="\n" if differences else "")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
