"""The types of documents are those of the schemas, and the package is whole."""

import inspect
import json
import pathlib
import re
import subprocess
import typing

import pytest
from conftest import SOURCE

import opdebug

SCHEMAS = SOURCE / "lib/data/schema"


def schema(name):
    return json.loads((SCHEMAS / name).read_text())


def part_of(file, path):
    """The part of a schema at this path, "" for all of it."""
    described = schema(file + ".schema.json")
    for name in filter(None, path.split("/")):
        described = described[name]
    return described


@pytest.mark.parametrize(
    "type_, file, path",
    [
        (opdebug.RecordDocument, "record", ""),
        (opdebug.NameIds, "record", "properties/name_ids"),
        (opdebug.PathIds, "record", "properties/path_ids"),
        (opdebug.Operator, "record", "$defs/operator"),
        (opdebug.Candidate, "record", "$defs/candidate"),
        (opdebug.Model, "record", "$defs/model"),
        (opdebug.Evidence, "record", "$defs/evidence/items"),
        (opdebug.Origin, "record", "$defs/origin"),
        (opdebug.Diagnostic, "record", "$defs/diagnostic"),
        (opdebug.Cause, "record", "$defs/cause"),
        (opdebug.Tensor, "record", "$defs/tensor"),
        (opdebug.ReportDocument, "report", ""),
        (opdebug.Counts, "report", "$defs/counts"),
        (opdebug.Group, "report", "$defs/group"),
        (opdebug.GroupKey, "report", "$defs/group/properties/by"),
        (opdebug.Chain, "report", "$defs/chain"),
        (opdebug.Verdicts, "report", "$defs/chain/properties/verdicts"),
        (opdebug.ChainDump, "report", "$defs/chain_dump"),
        (opdebug.BadDump, "report", "$defs/pointed_out_dump"),
        (opdebug.ScanApi, "report", "$defs/api"),
        (opdebug.ApiTie, "report", "$defs/tie"),
        (opdebug.ApiTimeline, "report", "$defs/api_timeline"),
        (opdebug.ScanFailure, "report", "$defs/failures/items"),
        (opdebug.ApiReportDocument, "api-report", ""),
        (opdebug.ApiCounts, "api-report", "properties/counts"),
        (opdebug.ApiFinding, "api-report", "$defs/finding"),
        (opdebug.ApiValue, "api-report", "$defs/value"),
        (opdebug.documents.FilesDocument, "files", ""),
        (opdebug.StatusDocument, "status", "items"),
        (opdebug.TensorsDocument, "tensors", ""),
        (opdebug.DoctorDocument, "doctor", ""),
        (opdebug.DoctorFinding, "doctor", "properties/findings/items"),
        (opdebug.DoctorCounts, "doctor", "properties/counts"),
        (opdebug.Failure, "logs", "$defs/failure"),
    ],
)
def test_keys_are_those_of_the_schema(type_, file, path):
    described = part_of(file, path)
    assert set(type_.__annotations__) == set(described["properties"])
    assert type_.__required_keys__ == set(described["required"])


@pytest.mark.parametrize(
    "type_, key, file, path",
    [
        (opdebug.ApiFinding, "source", "api-report", "finding/properties/source"),
        (opdebug.ApiFinding, "verdict", "api-report", "finding/properties/verdict"),
        (opdebug.ApiValue, "kind", "api-report", "value/properties/kind"),
        (opdebug.ApiValue, "state", "api-report", "value/properties/state"),
        (opdebug.Diagnostic, "severity", "record", "diagnostic/properties/severity"),
        (opdebug.Record, "unit", "record", "unit"),
        (opdebug.Evidence, "kind", "record", "evidence/items/properties/kind"),
        (opdebug.Operator, "confidence", "record", "confidence"),
        (opdebug.Tensor, "kind", "record", "tensor/properties/kind"),
        (opdebug.Origin, "verdict", "record", "verdict"),
    ],
)
def test_values_that_are_listed(type_, key, file, path):
    described = part_of(file, "$defs/" + path)
    assert list(typing.get_args(typing.get_type_hints(type_)[key])) == described["enum"]


def test_keys_of_records():
    units = schema("record.schema.json")["$defs"]
    described = [units[part["$ref"].rsplit("/", 1)[1]] for part in units["record"]["oneOf"]]
    for unit in described:
        assert set(unit["required"]) == set(unit["properties"])
    assert set(opdebug.Record.__annotations__) == set().union(*(unit["required"] for unit in described))
    assert opdebug.Record.__required_keys__ == set.intersection(*(set(unit["required"]) for unit in described))


def test_units_and_languages_are_those_of_the_library():
    for unit in typing.get_args(opdebug.StatusUnit):
        assert opdebug.decode_status(unit, 0)["unit"] in typing.get_args(opdebug.Unit)
    with pytest.raises(opdebug.Error) as caught:
        opdebug.decode_status("none", 0)
    told = re.search("unit: (.*) was expected", caught.value.message).group(1)
    assert re.split(", | or ", told) == list(typing.get_args(opdebug.StatusUnit))
    for language in typing.get_args(opdebug.Language):
        opdebug.decode_status("sdma", 1, language=language)


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
