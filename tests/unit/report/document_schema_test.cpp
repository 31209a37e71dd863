// The validator that the fuzz targets use refuses what the schemas forbid.
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

#include "build_paths.hpp"
#include "document_schema.hpp"
#include "dump_builder.hpp"
#include "op_dump_builder.hpp"
#include "outcome.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const std::string kFolder = std::string(source_folder) + "/lib/data/schema";

ordered_json record_document() {
    const Result<Dump> dump = decode(Bytes(build_overflow_dump(ai_core_example(32))));
    REQUIRE(outcome(dump) == "ok");
    return ordered_json::parse(record_to_json(*dump, {}));
}

std::string verdict_on_record(const ordered_json& document) {
    static const DocumentSchema schema(kFolder, "record");
    return schema.verdict(document.dump());
}

}  // namespace

TEST_CASE("schema of a record: what the library writes is valid") {
    CHECK(verdict_on_record(record_document()) == "");
}

TEST_CASE("schema of a record: each kind of rule is held") {
    ordered_json document = record_document();
    const auto refuses = [&](const char* rule, const ordered_json& changed) {
        CAPTURE(rule);
        CHECK(verdict_on_record(changed) != "");
    };
    ordered_json changed = document;
    changed["schema"] = "opdebug.record/2";
    refuses("const", changed);
    changed = document;
    changed["records"][2]["unit"] = "AI core";
    refuses("const below oneOf", changed);
    changed = document;
    changed.erase("records");
    refuses("required", changed);
    changed = document;
    changed["further"] = 1;
    refuses("additionalProperties", changed);
    changed = document;
    changed["origin"] = nullptr;
    refuses("dependentRequired", changed);
    changed = document;
    changed["timestamp_us"] = -1;
    refuses("minimum", changed);
    changed = document;
    changed["timestamp_us"] = "1";
    refuses("type", changed);
    changed = document;
    changed["container"] = "zip";
    refuses("enum", changed);
    changed = document;
    changed["diagnostics"].push_back({{"severity", "info"}, {"code", "Not a code"}, {"message", "m"}});
    refuses("pattern", changed);
    changed = document;
    changed["records"][2]["status_hex"] = ordered_json::array({"0x1", "0x2", "0x3"});
    refuses("minItems", changed);
}

TEST_CASE("schema of tensors: references to another file hold") {
    const DocumentSchema schema(kFolder, "tensors");
    const Result<OpDump> dump =
        measure_op_dump(Bytes(build_v2(op_dump({}, {tensor_of(float32_type, {2}, Buffer(8))}))));
    REQUIRE(outcome(dump) == "ok");
    ordered_json document = ordered_json::parse(tensors_to_json(*dump));
    CHECK(schema.verdict(document.dump()) == "");
    document["tensors"][0]["dtype"] = "Float 32";
    CHECK(schema.verdict(document.dump()) != "");
}

TEST_CASE("schema: text that is no JSON or no UTF-8 is refused") {
    const DocumentSchema schema(kFolder, "record");
    CHECK(schema.verdict("{").find("no JSON") == 0);
    CHECK(schema.verdict("\"\xff\"").find("no JSON") == 0);
}

TEST_CASE("schema: a keyword that the validator would pass over is reported") {
    const TemporaryDirectory folder;
    write_file(folder / "new.schema.json", R"({"type": "object", "unevaluatedProperties": false})");
    CHECK_THROWS_AS(DocumentSchema(folder.path().string(), "new"), std::runtime_error);
}
