// The record document of `opdebug decode`: its keys, their order and their values.
#include <doctest/doctest.h>

#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;
using Keys = std::vector<std::string>;

namespace {

const std::string seed_name = "Opdebug.Node_OpDebug.59.1597922031178434";

ordered_json decoded(const std::string& path) {
    const ProcessResult run = run_tool({"decode", path});
    CAPTURE(run.err);
    REQUIRE(run.exit_status == 0);
    return ordered_json::parse(run.out);
}

}  // namespace

TEST_CASE("one file gives one JSON document with the documented keys in their order") {
    const TemporaryDirectory directory;
    const std::string path =
        write_file(directory / ("20200808163566/0/11/0/" + seed_name), build_overflow_dump(ai_core_example(32)));
    const ordered_json document = decoded(path);
    CHECK(keys_of(document) == Keys{"schema", "file", "host", "rank", "timestamp_us", "utc_offset_minutes", "name_ids",
                                    "path_ids", "container", "payload", "overflow", "records", "operator", "model",
                                    "diagnostics"});
    CHECK(document["schema"] == "opdebug.record/1");
    CHECK(document["file"] == path);
    CHECK(document["timestamp_us"] == 1597922031178434);
    CHECK(document["container"] == "dump_data_v2");
    CHECK(document["payload"] == "legacy");
    CHECK(document["overflow"] == true);
    CHECK(keys_of(document["name_ids"]) == Keys{"task_id", "stream_id", "context_id", "thread_id"});
    CHECK(document["name_ids"].dump() == R"({"task_id":59,"stream_id":null,"context_id":null,"thread_id":null})");
    CHECK(document["path_ids"].dump() ==
          R"({"time":"20200808163566","device_id":0,"model_name":null,"model_id":11,"data_index":0,"rank":null})");
    CHECK(document["operator"].is_null());
    CHECK(document["diagnostics"].is_array());
}

TEST_CASE("the AI Core record has the documented keys, ids as integers, addresses as hex strings") {
    const TemporaryDirectory directory;
    const ordered_json document = decoded(write_file(directory / seed_name, build_overflow_dump(ai_core_example(32))));
    const ordered_json record = record_in(document, "AI Core");
    CHECK(keys_of(record) == Keys{"unit", "overflow", "model_id", "stream_id", "task_id", "task_type", "pc_start",
                                  "para_base", "kernel_code", "block_idx", "status", "status_hex", "causes",
                                  "undocumented_bits"});
    CHECK(record["overflow"] == true);
    CHECK(record["model_id"] == 514);
    CHECK(record["stream_id"] == 563);
    CHECK(record["task_id"] == 57);
    CHECK(record["task_type"] == 0);
    CHECK(record["pc_start"] == "0x1008005b0000");
    CHECK(record["para_base"] == "0x100800297000");
    CHECK(record["kernel_code"] == "0x1008005ae000");
    CHECK(record["block_idx"] == 1);
    CHECK(record["status"] == 32);
    CHECK(record["status_hex"] == "0x20");
    CHECK(record["undocumented_bits"] == "0x0");
    REQUIRE(record["causes"].size() == 1);
    const ordered_json& cause = record["causes"][0];
    CHECK(keys_of(cause) == Keys{"id", "bits", "name", "text", "advice", "source"});
    CHECK(cause["id"] == "ai_core.float_overflow");
    CHECK(cause["bits"] == "0x20");
    for (const char* key : {"name", "text", "advice", "source"}) {
        CHECK_FALSE(cause[key].get<std::string>().empty());
    }
}

TEST_CASE("all units of a legacy payload are listed, also those without a status") {
    const TemporaryDirectory directory;
    const ordered_json document = decoded(write_file(directory / seed_name, build_overflow_dump(ai_core_example(32))));
    CHECK(document["records"].size() == 3);
    for (const char* unit : {"DHA Atomic Add", "L2 Atomic Add"}) {
        const ordered_json record = record_in(document, unit);
        CHECK(keys_of(record) == Keys{"unit", "overflow", "model_id", "stream_id", "task_id", "task_type", "pc_start",
                                      "para_base", "status", "status_hex", "causes", "undocumented_bits"});
        CHECK(record["overflow"] == false);
        CHECK(record["status"] == 0);
        CHECK(record["pc_start"] == "0x0");
        CHECK(record["causes"].empty());
    }
}

TEST_CASE("accelerator records have their unit's keys") {
    const TemporaryDirectory directory;
    AcceleratorPayload payload;
    const auto record = [&](AccType type, std::uint32_t version) {
        payload.version = version;
        payload.entries = {counting_entry(type, 16, version)};
        const ordered_json document = decoded(write_file(directory / seed_name, build_overflow_dump(payload)));
        CHECK(document["payload"] == "accelerator");
        CHECK(document["records"].size() == 1);
        return document["records"].at(0);
    };
    const Keys end{"status", "status_hex", "causes", "undocumented_bits"};
    const auto with_end = [&end](Keys keys) {
        keys.insert(keys.end(), end.begin(), end.end());
        return keys;
    };
    const Keys core = with_end({"unit", "overflow", "model_id", "stream_id", "task_id", "task_type", "context_id",
                                "thread_id", "pc_start", "para_base", "core_id", "block_id"});
    const ordered_json aic = record(AccType::aic, 0);
    CHECK(keys_of(aic) == core);
    CHECK(aic["unit"] == "AIC");
    CHECK(aic["model_id"] == 16);
    CHECK(aic["pc_start"] == "0x16");  // 16 + 6 = 22
    CHECK(aic["status"] == 26);

    const ordered_json aiv = record(AccType::aiv, 1);
    CHECK(keys_of(aiv) == core);
    CHECK(aiv["unit"] == "AIV");
    CHECK(aiv["status"] == ordered_json({26, 27, 28, 29}));

    const ordered_json aicpu = record(AccType::aicpu, 0);
    CHECK(keys_of(aicpu) == with_end({"unit", "overflow", "model_id", "stream_id", "task_id", "task_type", "context_id",
                                      "cpu_id", "thread_id"}));
    CHECK(aicpu["cpu_id"] == 21);
    CHECK(aicpu["status"] == 23);

    const ordered_json sdma = record(AccType::sdma, 1);
    CHECK(keys_of(sdma) == with_end({"unit", "overflow", "model_id", "stream_id", "task_id", "task_type", "context_id",
                                     "thread_id", "src_addr", "dst_addr", "channel_id"}));
    CHECK(sdma["src_addr"] == "0x16");
    CHECK(sdma["dst_addr"] == "0x17");
    CHECK(sdma["status"] == 25);
}

TEST_CASE("the largest values are written without loss") {
    const TemporaryDirectory directory;
    LegacyPayload payload = ai_core_example(~std::uint64_t{0});
    payload.ai_core.pc_start = ~std::uint64_t{0};
    const ordered_json document = decoded(write_file(directory / seed_name, build_overflow_dump(payload)));
    const ordered_json record = record_in(document, "AI Core");
    CHECK(record["status"].dump() == "18446744073709551615");
    CHECK(record["status_hex"] == "0xffffffffffffffff");
    CHECK(record["pc_start"] == "0xffffffffffffffff");
}

TEST_CASE("markers for no context and no thread are null in name_ids and unchanged in records") {
    const TemporaryDirectory directory;
    AcceleratorPayload payload;
    payload.entries = {counting_entry(AccType::aiv, 1)};
    payload.entries[0].data[4] = 65535;
    payload.entries[0].data[5] = 4294967295;
    const ordered_json document = decoded(write_file(
        directory / "Opdebug.Node_OpDebug.0.3.1673383728094391.4.65535.4294967295.0", build_overflow_dump(payload)));
    CHECK(document["name_ids"]["context_id"].is_null());
    CHECK(document["name_ids"]["thread_id"].is_null());
    CHECK(document["name_ids"]["task_id"] == 0);
    CHECK(document["records"][0]["context_id"] == 65535);
    CHECK(document["records"][0]["thread_id"] == 4294967295);
}

TEST_CASE("a path that is no UTF-8 still gives valid JSON") {
    const TemporaryDirectory directory;
    const ordered_json document =
        decoded(write_file(directory / ("a\xff\xfe/" + seed_name), build_overflow_dump(ai_core_example(32))));
    CHECK(document["file"].is_string());
}
