"""The public names, and the package is whole."""

import inspect
import pathlib
import re
import subprocess

import pytest
from conftest import SOURCE

import opdebug

def test_units_and_languages_are_those_of_the_library():
    with pytest.raises(opdebug.Error) as caught:
        opdebug.decode_status("none", 0)
    for unit in re.split(", | or ", re.search("unit: (.*) was expected", caught.value.message).group(1)):
        for language in ("en", "zh"):
            opdebug.decode_status(unit, 1, language=language)


def test_everything_public_has_types_and_words():
    for name in set(opdebug.__all__) - {"__version__"}:
        public = getattr(opdebug, name)
        if inspect.isfunction(public):
            assert public.__doc__
            signature = inspect.signature(public)
            assert signature.return_annotation is not inspect.Signature.empty
            assert all(given.annotation is not inspect.Parameter.empty for given in signature.parameters.values())


def test_the_version_is_the_projects():
    text = (SOURCE / "CMakeLists.txt").read_text()
    assert opdebug.__version__ == re.search(r"project\(opdebug VERSION ([0-9.]+)", text).group(1)


def test_the_package_is_whole():
    built = pathlib.Path(opdebug.__file__).parent
    source = SOURCE / "lib/python/opdebug"
    for file in source.glob("*.py*"):
        assert (built / file.name).read_bytes() == file.read_bytes()
    assert (built / "py.typed").exists()


def test_the_native_object_shows_the_c_functions_only():
    shown = subprocess.run(
        ["nm", "-D", "--defined-only", pathlib.Path(opdebug.__file__).parent / "_native.so"],
        capture_output=True,
        check=True,
        text=True,
    )
    names = {line.split()[-1] for line in shown.stdout.splitlines()}
    header = (SOURCE / "lib/include/opdebug/opdebug.h").read_text()
    assert names == set(re.findall(r"^OPDEBUG_API [^(]*?(opdebug_[a-z_]+)\(", header, re.MULTILINE))
