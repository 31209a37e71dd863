"""The types of documents are those of the schemas, and the package is whole."""

import inspect
import json
import pathlib
import re
import subprocess

import pytest
from conftest import SOURCE

import opdebug

SCHEMAS = SOURCE / "lib/data/schema"


def schema(name):
    return json.loads((SCHEMAS / name).read_text())


@pytest.mark.parametrize(
    "type_, part",
    [
        (opdebug.RecordDocument, []),
        (opdebug.NameIds, ["properties", "name_ids"]),
        (opdebug.PathIds, ["properties", "path_ids"]),
        (opdebug.Operator, ["$defs", "operator"]),
        (opdebug.Candidate, ["$defs", "candidate"]),
        (opdebug.Model, ["$defs", "model"]),
        (opdebug.Evidence, ["$defs", "evidence", "items"]),
        (opdebug.Origin, ["$defs", "origin"]),
        (opdebug.Diagnostic, ["$defs", "diagnostic"]),
        (opdebug.Cause, ["$defs", "cause"]),
    ],
)
def test_keys_of_the_record_document(type_, part):
    described = schema("record.schema.json")
    for name in part:
        described = described[name]
    assert set(type_.__annotations__) == set(described["properties"])
    assert type_.__required_keys__ == set(described["required"])


def test_keys_of_other_documents():
    status = schema("status.schema.json")["items"]
    assert set(opdebug.StatusDocument.__annotations__) == set(status["properties"]) == set(status["required"])
    failure = schema("logs.schema.json")["$defs"]["failure"]
    assert set(opdebug.Failure.__annotations__) == set(failure["properties"]) == set(failure["required"])


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
