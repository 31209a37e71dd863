// The builders of dumps make the documented bytes, the reference dumps and the demonstration.
#include <doctest/doctest.h>

#include "build_paths.hpp"
#include "demo_dump.hpp"
#include "dump_builder.hpp"
#include "location.hpp"
#include "outcome.hpp"
#include "reference_data.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug::test;
using namespace opdebug;

namespace {

std::string hex(const Buffer& bytes) {
    static const char digits[] = "0123456789abcdef";
    std::string text;
    for (const std::uint8_t byte : bytes) {
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

}  // namespace

TEST_CASE("a built header is byte for byte the documented one") {
    // The annotated header of docs/internals/formats.md: version, dump_time, output (type, format, shape, original_op,
    // size, original_shape, address), op_name.
    const std::string documented =
        "0a03322e30"
        "10c0fcacb58ea18103"
        "1a2b"
        "08041002"
        "1a040a028010"
        "22120a0c4e6f64655f4f70446562756718042002"
        "308010"
        "3a00"
        "488080c08084c804"
        "320c4e6f64655f4f704465627567";
    CHECK(hex(header_message(overflow_dump(Buffer(2048), Era::now))) == documented);
}

TEST_CASE("built files equal the reference dumps (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    const auto text = [](const Buffer& bytes) { return std::string(bytes.begin(), bytes.end()); };

    DumpFile seed = overflow_dump(build_payload(ai_core_example(32)), Era::y2020);
    seed.dump_time = 1597922031178434;
    CHECK(text(build_v2(seed)) ==
          read_file(*reference / "dumps/tf2020/20200808163556/0/11/0/Opdebug.Node_OpDebug.59.1597922031178434"));

    seed.version = "1.0";
    seed.dump_time = 1597922031178435;
    const std::string v1 = read_file(*reference / "dumps/v1/Opdebug.Node_OpDebug.59.1597922031178435");
    CHECK(build_v1(seed).size() == v1.size());

    AcceleratorPayload payload;
    payload.entries = {
        {1, 1, 0, std::nullopt, {365, 396, 65, 66, 65535, 65535, 0x124040184000, 0x1240401ff5f0, 0, 15, 1}}};
    DumpFile accelerator = overflow_dump(build_payload(payload), Era::now);
    accelerator.dump_time = 1694385648123457;
    CHECK(text(build_v2(accelerator)) ==
          read_file(*reference / "dumps/new/20230911064048/0/ge_default_20230911064048_1/1/0/"
                                 "Opdebug.Node_OpDebug.65.396.1694385648123457"));

    const Buffer nano = build_nano(overflow_dump(build_payload(ai_core_example(32)), Era::y2020));
    CHECK(nano.size() == read_file(*reference / "dumps/nano/Opdebug.Node_OpDebug.1.2.1732082705016774").size());
}

namespace {

const std::string source = std::string(source_folder) + "/";

}  // namespace

TEST_CASE("demo: the dump is exactly what the test's builder makes") {
    const Buffer expected = demo_dump();
    const std::string content = read_file(source + demo_dump_path);
    CHECK(content.size() == 2129);
    CHECK((Buffer(content.begin(), content.end()) == expected));
}

TEST_CASE("demo: the logs name operator, kernel and model, and the host saw the overflow too") {
    const Result<Dump> dump = decode_file(source + demo_dump_path);
    REQUIRE_MESSAGE(dump.ok(), outcome(dump));
    const Result<ReadLogs> logs = read_logs({source + "testdata/demo/logs"});
    REQUIRE_MESSAGE(logs.ok(), outcome(logs));
    CHECK(logs->files == 2);
    CHECK(logs->failures.empty());
    LocateOptions options;
    options.task_map = logs->task_map;
    const Location location = locate(*dump, options);
    CHECK(shown(location.op) ==
          "bert/encoder/layer_3/attention/softmax/Exp|Exp|"
          "Exp_9f3c5d0e7ab1462c8d25e6f7013b94a8_high_performance_210000000|exact");
    CHECK(shown(location.model) == "bert_train|3|1|1");
    CHECK(candidates_of(location).empty());
    CHECK(remarks_of(location) == "info overflow_in_log");
    CHECK(contains(message_of(location, "time_zone"), "UTC+08:00 (from the time folder"));
    CHECK(contains(message_of(location, "time_zone"), "2026-10-12 09:41:27.318452"));
}
