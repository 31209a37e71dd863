// Converted JSON read instead of a dump: the spellings of all converters, and what is wrong with damaged ones.
#include <doctest/doctest.h>

#include <string>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "official_text.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kName = "Opdebug.Node_OpDebug.59.1597922031178434.output.0.json";

Result<Dump> decode_json(std::string_view text, const std::string& name = kName) {
    DecodeOptions options;
    options.file = "/d/" + name;
    return decode(Bytes(text), options);
}

constexpr std::string_view kZeroUnit =
    R"({"model_id":0,"para_base":"0x0","pc_start":"0x0","status":0,"stream_id":0,"task_id":0,"task_type":0})";

/// The form of MindSpore and msprobe: one line, sorted keys.
std::string sorted_text(std::string_view ai_core) {
    return R"({"AI Core":)" + std::string(ai_core) + R"(,"DHA Atomic Add":)" + std::string(kZeroUnit) +
           R"(,"L2 Atomic Add":)" + std::string(kZeroUnit) + "}";
}

std::uint64_t field_of(const Dump& dump, Unit unit, Field field) {
    const Record* record = record_of(dump.payloads.front(), unit);
    REQUIRE(record != nullptr);
    return record->field(field).value_or(0);
}

}  // namespace

TEST_CASE("converted JSON: the official converter's text of a legacy dump gives its record") {
    const auto dump = decode_json(official_ai_core_text(32));
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->overflow() == std::optional<bool>(true));
    CHECK_FALSE(dump->container.has_value());
    CHECK(severity_of(*dump, "converted_json") == "info");
    CHECK(dump->timestamp_us == std::optional<std::uint64_t>(1597922031178434));
    REQUIRE(dump->name.has_value());
    CHECK(dump->name->task_id == std::optional<std::uint64_t>(59));
    REQUIRE(dump->payloads.size() == 1);
    CHECK(field_of(*dump, Unit::ai_core, Field::stream_id) == 563);
    CHECK(field_of(*dump, Unit::ai_core, Field::task_id) == 57);
    const Record* record = record_of(dump->payloads[0], Unit::ai_core);
    REQUIRE(record->status.causes.size() == 1);
    CHECK(record->status.causes[0].definition->id == "ai_core.float_overflow");
    CHECK(contains(record_to_json(*dump, {}), "\"container\": null"));
}

TEST_CASE("converted JSON: writing it again as the official converter gives the same text") {
    for (const std::string& text : {official_ai_core_text(32), official_aiv_text()}) {
        const auto dump = decode_json(text);
        REQUIRE(outcome(dump) == "ok");
        const auto outputs = dump_to_converter_json(*dump);
        REQUIRE(outputs.ok());
        REQUIRE(outputs->size() == 1);
        CHECK(outputs->front().json == text);
    }
}

TEST_CASE("converted JSON: sorted keys in one line, hex digits in either case, block_id for block_idx") {
    for (
        const char* unit :
        {R"({"block_idx":7,"kernel_code":"0xab01","model_id":3,"para_base":"0x0","pc_start":"0xcd02","status":256,"stream_id":4,"task_id":5,"task_type":0})",
         R"({"block_id":7,"kernel_code":"0xAB01","model_id":3,"para_base":"0x0","pc_start":"0XCD02","status":256,"stream_id":4,"task_id":5,"task_type":0})"}) {
        const auto dump = decode_json(sorted_text(unit));
        REQUIRE(outcome(dump) == "ok");
        CHECK(field_of(*dump, Unit::ai_core, Field::block_idx) == 7);
        CHECK(field_of(*dump, Unit::ai_core, Field::kernel_code) == 0xab01);
        CHECK(field_of(*dump, Unit::ai_core, Field::pc_start) == 0xcd02);
        CHECK(dump->overflow() == std::optional<bool>(true));
    }
}

TEST_CASE("converted JSON: blanks and a byte order mark in front change nothing") {
    for (const std::string_view front : {" ", "\r\n\t", "\xef\xbb\xbf", "\xef\xbb\xbf\r\n"}) {
        const auto dump = decode_json(std::string(front) + official_ai_core_text(32));
        REQUIRE(outcome(dump) == "ok");
        CHECK(field_of(*dump, Unit::ai_core, Field::task_id) == 57);
    }
    CHECK(outcome(decode_json("\xef\xbb\xbf")) == "file_too_short");
}

TEST_CASE("converted JSON: an accelerator record that msprobe wrote as a legacy one is refused, its status is lost") {
    std::string text = sorted_text(
        R"({"block_idx":0,"kernel_code":"0x0","model_id":0,"para_base":"0x0","pc_start":"0x0","status":0,"stream_id":0,"task_id":0,"task_type":0})");
    const std::string from = R"("DHA Atomic Add":{"model_id":0)";
    text.replace(text.find(from), from.size(), R"("DHA Atomic Add":{"model_id":1515870810)");
    const auto dump = decode_json(text);
    REQUIRE(outcome(dump) == "converted_json_invalid");
    CHECK(contains(dump.error().message, "msprobe"));
}

TEST_CASE("converted JSON: damage is named with its place") {
    std::string cut = official_ai_core_text(32);
    cut.resize(cut.size() / 2);
    CHECK(outcome(decode_json(cut)) == "converted_json_invalid");
    CHECK(outcome(decode_json("{}")) == "converted_json_invalid");
    CHECK(outcome(decode_json(R"({"AI Core": 5})")) == "converted_json_invalid");
    const auto negative = decode_json(sorted_text(
        R"({"block_idx":7,"kernel_code":"0x0","model_id":3,"para_base":"0x0","pc_start":"0x0","status":-1,"stream_id":4,"task_id":5,"task_type":0})"));
    REQUIRE(outcome(negative) == "converted_json_invalid");
    CHECK(contains(negative.error().message, "/AI Core/status"));
    CHECK(negative.error().file == "/d/" + kName);
    std::string wrong_unit = official_aiv_text();
    wrong_unit.replace(wrong_unit.find("AIV"), 3, "XYZ");
    CHECK(outcome(decode_json(wrong_unit)) == "converted_json_invalid");
}

TEST_CASE("converted JSON: a unit that is not there leaves the others and makes the dump partial") {
    const auto dump = decode_json(R"({"DHA Atomic Add":)" + std::string(kZeroUnit) + "}");
    REQUIRE(outcome(dump) == "ok");
    CHECK_FALSE(dump->overflow().has_value());
    CHECK_FALSE(dump->complete());
    CHECK(dump->payloads.front().records.size() == 1);
}

TEST_CASE("converted JSON: a file is reported by its content") {
    const TemporaryDirectory directory;
    const auto dump = decode_file(write_file(directory / kName, official_ai_core_text(32)));
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->file == (directory / kName));
    CHECK(dump->overflow() == std::optional<bool>(true));
}

TEST_CASE("converted JSON: a byte order mark in front, as Windows' editors write it, is passed") {
    const auto dump = decode_json("\xEF\xBB\xBF" + official_ai_core_text(32));
    REQUIRE(outcome(dump) == "ok");
    CHECK(dump->overflow() == std::optional<bool>(true));
    CHECK(outcome(decode_json("\xEF\xBB\xBFno JSON at all")) == "not_a_dump");
}

TEST_CASE("converted JSON: the document of one that cannot be used has the ids and the time of its name") {
    const auto dump = decode_json("{}");
    REQUIRE(outcome(dump) == "converted_json_invalid");
    const std::string document = failure_to_json(dump.error());
    CHECK(contains(document, "\"timestamp_us\": 1597922031178434,"));
    CHECK(contains(document, "\"task_id\": 59,"));
}
