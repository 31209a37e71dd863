"""decode_status()."""

import pytest
from conftest import SOURCE, tool_document

import opdebug


@pytest.mark.parametrize("unit", ["ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu", "sdma"])
@pytest.mark.parametrize("status", [0, 0x20, 0x120, (1 << 64) - 1])
def test_one_value(unit, status):
    assert [opdebug.decode_status(unit, status)] == tool_document("status", unit, hex(status), "--format", "json")


def test_the_meaning_of_a_bit():
    # docs/reference/status.md: bit 5 of an AI Core status.
    causes = opdebug.decode_status("ai-core", 0x20)["causes"]
    assert [cause["bits"] for cause in causes] == ["0x20"]
    assert causes[0]["id"].startswith("ai_core.")
    chinese = opdebug.decode_status("ai-core", 0x20, language="zh")["causes"]
    assert chinese[0]["id"] == causes[0]["id"] and chinese[0]["text"] != causes[0]["text"]


def test_four_values():
    document = opdebug.decode_status("aic", [0x20, 1, 2, (1 << 64) - 1])
    assert document["status"] == [0x20, 1, 2, (1 << 64) - 1]
    assert document["status_hex"] == ["0x20", "0x1", "0x2", "0xffffffffffffffff"]


def test_a_catalogue_of_ones_own():
    files = list((SOURCE / "lib/data/status").glob("*.json"))
    assert opdebug.decode_status("sdma", 1, status_catalogue=files) == opdebug.decode_status("sdma", 1)


def test_mistakes_are_told():
    for unit, status in [("ai", 1), ("", 1), ("ai-core", []), ("ai-core", [1, 2])]:
        with pytest.raises(opdebug.Error) as caught:
            opdebug.decode_status(unit, status)
        assert caught.value.code == "invalid_argument"
    for status in (-1, 1 << 64, [1, 2, 3, -4]):
        with pytest.raises(ValueError):
            opdebug.decode_status("aic", status)
    for status in ("0x20", b"0x20", 1.5, None, True, [1, 2, None, 4]):
        with pytest.raises(TypeError, match="a status is an int"):
            opdebug.decode_status("ai-core", status)
    for unit in (None, b"ai-core", 7):
        with pytest.raises(TypeError, match="unit is a str"):
            opdebug.decode_status(unit, 1)
    for unit in ("ai-core\0", "\0", "\udcff"):
        with pytest.raises(opdebug.Error, match="is not a unit") as caught:
            opdebug.decode_status(unit, 1)
        assert caught.value.code == "invalid_argument"


def test_numbers_of_other_libraries():
    class Number:
        def __index__(self):
            return 0x20

    assert opdebug.decode_status("ai-core", Number()) == opdebug.decode_status("ai-core", 0x20)
    assert opdebug.decode_status("aic", [Number(), 1, 2, 3])["status"] == [0x20, 1, 2, 3]
