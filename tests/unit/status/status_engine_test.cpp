// The engine that explains a status, shown with a made-up register, so that the real tables can change freely.
#include <opdebug/dump.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "status/catalogue.hpp"

#include "text.hpp"

using namespace opdebug;

namespace {

/// Bits 4..7 are a code (1 full, 2 leak); flags are bit 0 hot, bit 2 cold (underflow), bit 63 top. Entries are out of
/// order on purpose.
const char* const boiler = R"({
  "schema": "opdebug.status_catalogue/1", "register": "boiler", "units": ["sdma", "aiv"],
  "documents": [{"id": "manual", "title": "Manual", "covers": "all", "source": "shelf"}],
  "codes": [{"mask": "0xf0",
    "unknown": {"severity": "warning", "code": "odd_code", "message": "{status} {status_hex} {code} {code_hex}"},
    "zero": {"severity": "info", "code": "no_code", "message": "{status_hex} has no code"}}],
  "entries": [
    {"id": "boiler.top", "mask": "0x8000000000000000", "value": "0x8000000000000000", "kind": "overflow",
     "documents": ["manual"], "name": {"en": "top", "zh": "t"}, "text": {"en": "x", "zh": "x"},
     "advice": {"en": "x", "zh": "x"}, "source": "manual, bit 63"},
    {"id": "boiler.leak", "mask": "0xF0", "value": "0x20", "kind": "nan_operand",
     "documents": ["manual"], "name": {"en": "leak", "zh": "l"}, "text": {"en": "x", "zh": "x"},
     "advice": {"en": "x", "zh": "x"}, "source": "manual, code 2"},
    {"id": "boiler.full", "mask": "0xf0", "value": "0x10", "kind": "overflow",
     "documents": ["manual"], "name": {"en": "full", "zh": "f"}, "text": {"en": "x", "zh": "x"},
     "advice": {"en": "x", "zh": "x"}, "source": "manual, code 1"},
    {"id": "boiler.cold", "mask": "0x4", "value": "0x4", "kind": "underflow",
     "documents": ["manual"], "name": {"en": "cold", "zh": "c"}, "text": {"en": "x", "zh": "x"},
     "advice": {"en": "x", "zh": "x"}, "source": "manual, bit 2"},
    {"id": "boiler.hot", "mask": "0x1", "value": "0x1", "kind": "overflow",
     "documents": ["manual"], "name": {"en": "hot", "zh": "h"}, "text": {"en": "be hot", "zh": "hz"},
     "advice": {"en": "cool", "zh": "cz"}, "source": "manual, bit 0"}
  ],
  "remarks": [
    {"when": "causes", "causes": ["boiler.hot", "boiler.top"], "severity": "warning", "code": "heat",
     "message": "heat {bits}"},
    {"when": "not_overflow", "severity": "info", "code": "mild", "message": "mild {bits} of {status}"},
    {"when": "four_words", "severity": "warning", "code": "four", "message": "four"},
    {"when": "named", "units": ["aiv"], "severity": "info", "code": "named_aiv", "message": "named {bits}"},
    {"when": "nonzero", "units": ["aiv"], "severity": "info", "code": "nonzero_aiv", "message": "nonzero"}
  ]
})";

StatusExplanation explain(Unit unit, const std::vector<std::uint64_t>& words) {
    const auto catalogue = load_status_catalogue({{"boiler.json", boiler}});
    REQUIRE_MESSAGE(catalogue.ok(), (catalogue.ok() ? "" : catalogue.error().message));
    const auto explanation = decode_status(**catalogue, unit, words);
    REQUIRE(explanation.ok());
    return *explanation;
}

std::vector<std::string> ids(const StatusExplanation& explanation) {
    std::vector<std::string> list;
    for (const Cause& cause : explanation.causes) {
        list.push_back(cause.definition->id);
    }
    return list;
}

std::vector<std::string> remarks(const StatusExplanation& explanation) {
    std::vector<std::string> list;
    for (const Diagnostic& diagnostic : explanation.diagnostics) {
        list.push_back(diagnostic.code + ": " + diagnostic.message);
    }
    return list;
}

using Strings = std::vector<std::string>;
using Words = std::vector<std::uint64_t>;
using opdebug::test::contains;

}  // namespace

TEST_CASE("a zero status says nothing but no overflow") {
    const auto zero = explain(Unit::aiv, {0});
    CHECK_FALSE(zero.overflow);
    CHECK(zero.words == Words{0});
    CHECK(zero.undocumented_bits == Words{0});
    CHECK(zero.causes.empty());
    CHECK(zero.codes.empty());
    CHECK(zero.diagnostics.empty());
    const auto four = explain(Unit::aiv, {0, 0, 0, 0});
    CHECK_FALSE(four.overflow);
    CHECK(four.undocumented_bits == Words{0, 0, 0, 0});
    CHECK(four.diagnostics.empty());
}

TEST_CASE("a status of a unit that the catalogue does not describe overflows, and that is all that is known") {
    const auto other = decode_status(StatusCatalogue(), Unit::ai_core, {0x5});  // the built-in one has all units
    REQUIRE(other.ok());
    CHECK(other->overflow);
    CHECK(other->causes.empty());
    CHECK(other->undocumented_bits == Words{0x5});
    CHECK(remarks(*other) == Strings{"no_status_table: The catalogue has no description of the status of AI Core."});
    CHECK(other->diagnostics.at(0).severity == Severity::warning);
    CHECK(decode_status(StatusCatalogue(), Unit::ai_core, {0})->diagnostics.empty());
}

TEST_CASE("causes stand in order of their lowest bit and carry their bits") {
    const auto all = explain(Unit::sdma, {0x8000000000000015});
    CHECK(all.overflow);
    CHECK(ids(all) == Strings{"boiler.hot", "boiler.cold", "boiler.full", "boiler.top"});
    CHECK(all.causes[0].bits == 0x1);
    CHECK(all.causes[1].bits == 0x4);
    CHECK(all.causes[2].bits == 0x10);
    CHECK(all.causes[3].bits == 0x8000000000000000);
    CHECK(all.undocumented_bits == Words{0});
    CHECK(all.causes[0].definition->text.in(Language::english) == "be hot");
    CHECK(all.causes[0].definition->text.in(Language::chinese) == "hz");
    CHECK(all.causes[1].definition->kind == CauseKind::underflow);
    CHECK(remarks(all) == Strings{"heat: heat 0x8000000000000001"});
}

TEST_CASE("a group of bits is shown as a number, named or not") {
    const auto named = explain(Unit::sdma, {0x121});
    REQUIRE(named.codes.size() == 1);
    CHECK(named.codes[0].low_bit == 4);
    CHECK(named.codes[0].high_bit == 7);
    CHECK(named.codes[0].value == 2);
    CHECK(named.undocumented_bits == Words{0x100});

    const auto unknown = explain(Unit::sdma, {0x1f1});
    CHECK(unknown.codes[0].value == 15);
    CHECK(ids(unknown) == Strings{"boiler.hot"});
    CHECK(unknown.undocumented_bits == Words{0x1f0});
    CHECK(remarks(unknown) == Strings{"odd_code: 497 0x1f1 15 0xf", "heat: heat 0x1"});

    const auto none = explain(Unit::sdma, {0x100});
    CHECK(none.codes[0].value == 0);
    CHECK(none.causes.empty());
    CHECK(none.undocumented_bits == Words{0x100});
    CHECK(remarks(none) == Strings{"no_code: 0x100 has no code"});
}

TEST_CASE("a status whose causes are no overflow still overflows and says why") {
    const auto leak = explain(Unit::sdma, {0x24});
    CHECK(leak.overflow);
    CHECK(ids(leak) == Strings{"boiler.cold", "boiler.leak"});
    CHECK(remarks(leak) == Strings{"mild: mild 0x24 of 36"});
    CHECK(remarks(explain(Unit::sdma, {0x25})) == Strings{"heat: heat 0x1"});
}

TEST_CASE("remarks meant for one unit are not given for another") {
    CHECK(remarks(explain(Unit::sdma, {0x10})).empty());
    CHECK(remarks(explain(Unit::aiv, {0x10})) == Strings{"named_aiv: named 0x10", "nonzero_aiv: nonzero"});
    CHECK(remarks(explain(Unit::aiv, {0x300})) == Strings{"no_code: 0x300 has no code", "nonzero_aiv: nonzero"});
}

TEST_CASE("only the first of four words is looked up") {
    const auto four = explain(Unit::aiv, {0x11, 0x11, 0, 0xffffffffffffffff});
    CHECK(ids(four) == Strings{"boiler.hot", "boiler.full"});
    CHECK(four.undocumented_bits == Words{0, 0x11, 0, 0xffffffffffffffff});
    CHECK(four.diagnostics[1].code == "four");

    const auto later = explain(Unit::aiv, {0, 0, 1, 0});
    CHECK(later.overflow);
    CHECK(later.causes.empty());
    CHECK(later.codes.empty());
    CHECK(later.undocumented_bits == Words{0, 0, 1, 0});
    CHECK(remarks(later) == Strings{"four: four", "nonzero_aiv: nonzero"});
}

TEST_CASE("a wrong number of words is an error") {
    const auto catalogue = load_status_catalogue({{"boiler.json", boiler}});
    REQUIRE(catalogue.ok());
    for (const std::size_t count : {0U, 2U, 3U, 5U}) {
        for (const Unit unit : {Unit::aiv, Unit::aic, Unit::sdma, Unit::ai_core}) {
            const auto result = decode_status(**catalogue, unit, Words(count, 1));
            REQUIRE_FALSE(result.ok());
            CHECK(result.error().code == ErrorCode::invalid_argument);
        }
    }
    const auto sdma = decode_status(**catalogue, Unit::sdma, {1, 1, 1, 1});
    REQUIRE_FALSE(sdma.ok());
    CHECK(sdma.error().code == ErrorCode::invalid_argument);
    CHECK(contains(sdma.error().message, "SDMA"));
    CHECK(sdma.error().message.find('4') != std::string::npos);
    const auto no_unit = decode_status(static_cast<Unit>(99), {1});
    REQUIRE_FALSE(no_unit.ok());
    CHECK(no_unit.error().code == ErrorCode::invalid_argument);
}

TEST_CASE("units that the user's files do not describe keep the built-in description") {
    const auto ai_core = explain(Unit::ai_core, {0x20});
    CHECK(ids(ai_core) == Strings{"ai_core.float_overflow"});
    CHECK(ids(explain(Unit::aiv, {0x20})) == Strings{"boiler.leak"});
    const auto built_in = decode_status(Unit::aiv, {0x20});
    REQUIRE(built_in.ok());
    CHECK(ids(*built_in) == Strings{"ai_core.float_overflow"});
}

TEST_CASE("an explanation stays usable after its catalogue is gone") {
    StatusExplanation kept;
    {
        const auto catalogue = load_status_catalogue({{"boiler.json", boiler}});
        REQUIRE(catalogue.ok());
        kept = *decode_status(**catalogue, Unit::sdma, {1});
    }
    CHECK(kept.causes[0].definition->source == "manual, bit 0");
}
