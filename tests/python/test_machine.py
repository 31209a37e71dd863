"""What the module needs of the machine."""

import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import opdebug


def run(*arguments, path):
    command = [sys.executable, "-m", "opdebug", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PATH": str(path)})


def test_the_doctor_reports_the_module_and_the_program(tmp_path):
    program = tmp_path / "opdebug"
    program.touch(mode=0o755)
    version, module, found = run("--doctor", path=tmp_path).stdout.splitlines()
    native = pathlib.Path(opdebug.__file__).with_name("_native.so")
    assert version == f"version: {opdebug.__version__}"
    assert module.startswith(f"module: {native}: needs glibc 2.")
    installed = shutil.which("opdebug", path=sysconfig.get_path("scripts"))  # by pip: it comes before PATH
    assert found == f"program: {installed or program}"
    if installed is None:
        program.unlink()
        assert run("--doctor", path=tmp_path).stdout.splitlines()[2] == "program: not in PATH"


def test_the_module_is_not_the_program(tmp_path):
    ended = run("scan", path=tmp_path)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("usage: python -m opdebug --doctor")


def test_an_object_that_does_not_load_says_what_it_needs(tmp_path):
    package = tmp_path / "opdebug"
    shutil.copytree(pathlib.Path(opdebug.__file__).parent, package)
    native = package / "_native.so"
    content = bytearray(native.read_bytes())
    content[18] = 0  # e_machine of ELF: no processor
    native.write_bytes(content)
    ended = subprocess.run([sys.executable, "-c", "import opdebug"], capture_output=True, text=True, cwd=tmp_path)
    assert "ImportError: " in ended.stderr.splitlines()[-1]
    assert "The module needs glibc 2." in ended.stderr
    assert "Run the program opdebug instead" in ended.stderr
