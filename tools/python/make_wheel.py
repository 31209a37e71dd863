"""Packs a folder of tools/one-file.sh into a wheel: make_wheel.py PROCESSOR FOLDER. tools/wheel.sh calls it.

SOURCE_DATE_EPOCH is the time of the files in the wheel.
"""

import base64
import hashlib
import os
import pathlib
import re
import runpy
import sys
import time
import zipfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
GLIBC = (2, 28)  # of the tag: what pip compares with the machine's

METADATA = """\
Metadata-Version: 2.1
Name: opdebug
Version: {version}
Summary: Explains overflow dumps (OpDebug files) of Ascend NPUs
License: Apache-2.0
License-File: LICENSE
License-File: NOTICE
Requires-Python: >=3.8
Classifier: Operating System :: POSIX :: Linux
Classifier: Typing :: Typed
"""

WHEEL = """\
Wheel-Version: 1.0
Generator: opdebug-make-wheel
Root-Is-Purelib: false
Tag: {tag}
"""


def files(folder, processor, information, version, tag):
    """Names in the wheel and their bytes, in the order of the wheel: its description comes last."""
    module = folder / "python/opdebug"
    for path in sorted([*module.glob("*.py"), module / "py.typed", module / "_native.so"]):
        yield f"opdebug/{path.name}", path.read_bytes()
    # pip installs this to the folder of programs as it is: it starts without Python.
    yield f"opdebug-{version}.data/scripts/opdebug", (folder / f"opdebug-{processor}").read_bytes()
    yield f"{information}/licenses/LICENSE", (SOURCE / "LICENSE").read_bytes()
    yield f"{information}/licenses/NOTICE", (folder / "NOTICE").read_bytes()
    yield f"{information}/sboms/opdebug.spdx.json", (folder / "opdebug.spdx.json").read_bytes()
    yield f"{information}/METADATA", METADATA.format(version=version).encode()
    yield f"{information}/WHEEL", WHEEL.format(tag=tag).encode()


def main(processor, folder):
    folder = pathlib.Path(folder)
    version = re.search(r"project\(opdebug VERSION ([0-9.]+)", (SOURCE / "CMakeLists.txt").read_text()).group(1)
    native = folder / "python/opdebug/_native.so"
    needed = runpy.run_path(str(SOURCE / "lib/python/opdebug/machine.py"))["needed_glibc"](native)
    if needed > GLIBC:
        sys.exit(f"{native}: needs glibc {needed}, newer than {GLIBC}: define what is new in lib/python/older_glibc.cpp")
    tag = f"py3-none-manylinux_{GLIBC[0]}_{GLIBC[1]}_{processor}"
    information = f"opdebug-{version}.dist-info"
    date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    record = ""
    path = folder / f"opdebug-{version}-{tag}.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:

        def add(name, content):
            entry = zipfile.ZipInfo(name, date)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in name else 0o100644) << 16
            wheel.writestr(entry, content, compresslevel=9)

        for name, content in files(folder, processor, information, version, tag):
            add(name, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={digest},{len(content)}\n"
        add(f"{information}/RECORD", record + f"{information}/RECORD,,\n")
    print(f"{path}: {path.stat().st_size} bytes. Install it with pip on Linux with glibc {GLIBC[0]}.{GLIBC[1]} or newer.")


if __name__ == "__main__":
    main(*sys.argv[1:])
