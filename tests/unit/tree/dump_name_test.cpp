// File names of dumps: every documented form, and names that are none.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <opdebug/tree.hpp>

using opdebug::DumpName;
using opdebug::parse_dump_name;
using Id = std::optional<std::uint64_t>;

namespace {

DumpName parsed(std::string_view name) {
    CAPTURE(name);
    const auto result = parse_dump_name(name);
    REQUIRE(result.has_value());
    return *result;
}

}  // namespace

TEST_CASE("two numbers: task and time, as in 2020") {
    const DumpName name = parsed("Opdebug.Node_OpDebug.59.1597922031178434");
    CHECK(name.op_type == "Opdebug");
    CHECK(name.op_name == "Node_OpDebug");
    CHECK(name.is_overflow_dump);
    CHECK(name.documented_spelling);
    CHECK(name.task_id == Id(59));
    CHECK(name.stream_id == Id());
    CHECK(name.timestamp_us == Id(1597922031178434));
    CHECK(name.dump_number == Id());
    CHECK(name.context_id == Id());
    CHECK(name.thread_id == Id());
    CHECK(name.device_id == Id());
}

TEST_CASE("three numbers: task, stream and time") {
    const DumpName name = parsed("Opdebug.Node_OpDebug.1.5.1732082705016774");
    CHECK(name.task_id == Id(1));
    CHECK(name.stream_id == Id(5));
    CHECK(name.timestamp_us == Id(1732082705016774));
    CHECK(name.dump_number == Id());
}

TEST_CASE("four numbers: dump number, task, stream and time") {
    const DumpName name = parsed("Add.aclnnAdd.3.6.5.1732082705017174");
    CHECK_FALSE(name.is_overflow_dump);
    CHECK(name.op_type == "Add");
    CHECK(name.op_name == "aclnnAdd");
    CHECK(name.dump_number == Id(3));
    CHECK(name.task_id == Id(6));
    CHECK(name.stream_id == Id(5));
    CHECK(name.timestamp_us == Id(1732082705017174));
}

TEST_CASE("seven numbers: task, stream, time, 4 for FFTS+, context, thread, device") {
    const DumpName name = parsed("Opdebug.Node_OpDebug.9.3.1673383728094391.4.1.0.2");
    CHECK(name.is_overflow_dump);
    CHECK(name.task_id == Id(9));
    CHECK(name.stream_id == Id(3));
    CHECK(name.timestamp_us == Id(1673383728094391));
    CHECK(name.context_id == Id(1));
    CHECK(name.thread_id == Id(0));
    CHECK(name.device_id == Id(2));
}

TEST_CASE("the host form with the word FFTSPLUS") {
    const DumpName name = parsed("Add.aclnnAdd.3.6.5.1732082705017174.FFTSPLUS.7.8.1");
    CHECK(name.dump_number == Id(3));
    CHECK(name.task_id == Id(6));
    CHECK(name.stream_id == Id(5));
    CHECK(name.timestamp_us == Id(1732082705017174));
    CHECK(name.context_id == Id(7));
    CHECK(name.thread_id == Id(8));
    CHECK(name.device_id == Id(1));
}

TEST_CASE("markers for no context and no thread are dropped, other ids are kept as they are") {
    const DumpName name = parsed("Opdebug.Node_OpDebug.65535.65535.1673383728094391.4.65535.4294967295.0");
    CHECK(name.context_id == Id());
    CHECK(name.thread_id == Id());
    CHECK(name.stream_id == Id(65535));
    CHECK(name.task_id == Id(65535));
}

TEST_CASE("a time of fifteen digits is a time") {
    const DumpName name = parsed("Conv2D.Default_network_layer1-op12.2.7.161243956333802");
    CHECK(name.task_id == Id(2));
    CHECK(name.stream_id == Id(7));
    CHECK(name.timestamp_us == Id(161243956333802));
}

TEST_CASE("an overflow dump is recognised in any case, and the written spelling is told from others") {
    const DumpName in_text = parsed("OpDebug.Node_Opdebug.59.1597922031178434");
    CHECK(in_text.is_overflow_dump);
    CHECK_FALSE(in_text.documented_spelling);
    CHECK(in_text.task_id == Id(59));
    CHECK(parsed("OPDEBUG.NODE_OPDEBUG.59.1597922031178434").is_overflow_dump);
    CHECK_FALSE(parsed("OPDEBUG.NODE_OPDEBUG.59.1597922031178434").documented_spelling);
    CHECK_FALSE(parsed("Opdebugger.Node_OpDebug.59.1597922031178434").is_overflow_dump);
    CHECK_FALSE(parsed("Opdebug.Node_OpDebug2.59.1597922031178434").is_overflow_dump);
}

TEST_CASE("an overflow dump is known by its spelling and any numbers, however short its time") {
    const DumpName short_time = parsed("Opdebug.Node_OpDebug.1.2.1000");
    CHECK(short_time.is_overflow_dump);
    CHECK(short_time.task_id == Id(1));
    CHECK(short_time.stream_id == Id(2));
    CHECK(short_time.timestamp_us == Id(1000));
    CHECK(parsed("opdebug.node_opdebug.7.0").timestamp_us == Id(0));
    // Too many or too few numbers for any documented form: none is given a meaning.
    for (const char* name :
         {"Opdebug.Node_OpDebug.59", "Opdebug.Node_OpDebug.0.3.1673383728094391.4.1",
          "Opdebug.Node_OpDebug.0.3.1673383728094391.4.1.0", "Opdebug.Node_OpDebug.0.3.1673383728094391.4.1.0.0.9"}) {
        const DumpName odd = parsed(name);
        CHECK(odd.is_overflow_dump);
        CHECK(odd.task_id == Id());
        CHECK(odd.timestamp_us == Id());
    }
    const DumpName beyond_64_bits = parsed("Opdebug.Node_OpDebug.18446744073709551616.7.1597922031178434");
    CHECK(beyond_64_bits.task_id == Id());
    CHECK(beyond_64_bits.stream_id == Id(7));
    CHECK(beyond_64_bits.timestamp_us == Id(1597922031178434));
}

TEST_CASE("exception dumps end with a local time: runtime dump_operator.cpp, dump_args.cpp, dump_args_callback.cpp") {
    struct Case {
        const char* name;
        const char *type, *op_name;
        Id stream, task, core_type, core;
    };
    for (const Case& one :
         {Case{"exception_info.5.6.1.12.20241120060505123", "", "", 5, 6, 1, 12},
          {"aclnnAdd_AddAiCore_Add.5.6.1.12.20241120060505123", "", "aclnnAdd_AddAiCore_Add", 5, 6, 1, 12},
          {"exception_info.61.131079.20261011121314015", "", "", 61, 131079, {}, {}},
          {"Add.net_Add_7.2.20241120060505123", "Add", "net_Add_7", {}, 2, {}, {}}}) {
        const DumpName name = parsed(one.name);
        CHECK(name.is_exception_dump);
        CHECK_FALSE(name.is_overflow_dump);
        CHECK(name.op_type == one.type);
        CHECK(name.op_name == one.op_name);
        CHECK(name.stream_id == one.stream);
        CHECK(name.task_id == one.task);
        CHECK(name.core_type == one.core_type);
        CHECK(name.core_id == one.core);
        CHECK(name.timestamp_us == Id());
        CHECK(name.local_time == std::string(one.name).substr(std::string(one.name).rfind('.') + 1));
    }
    // Microseconds: a usual operator dump.
    for (const char* name : {"Add.add.2.1732082705017174", "Add.5.6.1.12.1732082705017174"}) {
        CHECK_FALSE(parsed(name).is_exception_dump);
    }
}

TEST_CASE("type and name may hold any character but a dot") {
    const DumpName name = parsed("Mat-Mul.while:cond@1(2) [x].57.563.1597922031177622");
    CHECK(name.op_type == "Mat-Mul");
    CHECK(name.op_name == "while:cond@1(2) [x]");
    CHECK(name.task_id == Id(57));
    CHECK(parsed("Add.\xe5\x8a\xa0.1.2.1597922031177622").op_name == "\xe5\x8a\xa0");
    CHECK(parsed("Add.17.1.2.1597922031177622.4.1.0.0").op_name == "17");
}

TEST_CASE("other names are no dump names") {
    for (const std::string& name : std::vector<std::string>{"",
                                                            ".",
                                                            "Opdebug",
                                                            "Opdebug.Node_OpDebug",
                                                            "Opdebug.Node_OpDebug.bak",
                                                            "Opdebug.Node_OpDebug.",
                                                            "Add.add.1.1.1000",
                                                            "libx.so.1.2",
                                                            "Opdebug.Node_OpDebug.59.1597922031178434.output.0.json",
                                                            "Opdebug.Node_OpDebug.59.7.1597922031178434.output.0.json",
                                                            "Add.add.1.2.1597922031178434.input.0.npy",
                                                            "Opdebug.Node_OpDebug.59.7.1597922031178434.json",
                                                            "Opdebug.Node_OpDebug.59.7.1597922031178434.",
                                                            "Opdebug.Node_OpDebug..7.1597922031178434",
                                                            "Opdebug.Node_OpDebug.x.7.1597922031178434",
                                                            "Opdebug.Node_OpDebug.-1.7.1597922031178434",
                                                            "Opdebug.Node_OpDebug.+1.7.1597922031178434",
                                                            "Opdebug.Node_OpDebug.0x1.7.1597922031178434",
                                                            "Opdebug.Node_OpDebug. 1.7.1597922031178434",
                                                            "Opdebug.Node_OpDebug.1.7.1597922031178434 ",
                                                            "Add.aclnnAdd.3.6.5.1732082705017174.FFTSPLUS.7.8",
                                                            "Add.aclnnAdd.3.6.5.1732082705017174.fftsminus.7.8.1",
                                                            ".Node_OpDebug.59.7.1597922031178434",
                                                            "Opdebug..59.7.1597922031178434",
                                                            "2711727053834951654",
                                                            "mapping.csv",
                                                            "statistic.csv"}) {
        CAPTURE(name);
        CHECK_FALSE(parse_dump_name(name).has_value());
    }
}
