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
