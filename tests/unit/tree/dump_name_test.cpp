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

TEST_CASE("dump names: the numbers of each documented form") {
    struct Row {
        const char* name;
        Id number = {}, task = {}, stream = {}, time = {}, context = {}, thread = {}, device = {};
    };
    constexpr Id none = std::nullopt;
    for (const Row& row : {
             Row{"Opdebug.Node_OpDebug.59.1597922031178434", none, 59, none, 1597922031178434},  // of 2020
             {"Opdebug.Node_OpDebug.1.5.1732082705016774", none, 1, 5, 1732082705016774},
             {"Add.aclnnAdd.3.6.5.1732082705017174", 3, 6, 5, 1732082705017174},
             // 4 for FFTS+, context, thread, device
             {"Opdebug.Node_OpDebug.9.3.1673383728094391.4.1.0.2", none, 9, 3, 1673383728094391, 1, 0, 2},
             {"Add.aclnnAdd.3.6.5.1732082705017174.FFTSPLUS.7.8.1", 3, 6, 5, 1732082705017174, 7, 8, 1},
             // The markers for no context and no thread are dropped, other ids are kept.
             {"Opdebug.Node_OpDebug.65535.65535.1673383728094391.4.65535.4294967295.0", none, 65535, 65535,
              1673383728094391, none, none, 0},
             {"Conv2D.Default_network_layer1-op12.2.7.161243956333802", none, 2, 7, 161243956333802},  // 15 digits
             // An overflow dump is known by its spelling and any numbers, however short its time.
             {"Opdebug.Node_OpDebug.1.2.1000", none, 1, 2, 1000},
             {"opdebug.node_opdebug.7.0", none, 7, none, 0},
             {"Opdebug.Node_OpDebug.18446744073709551616.7.1597922031178434", none, none, 7, 1597922031178434},
             // Too many or too few numbers for any documented form: none is given a meaning.
             {"Opdebug.Node_OpDebug.59"},
             {"Opdebug.Node_OpDebug.0.3.1673383728094391.4.1"},
             {"Opdebug.Node_OpDebug.0.3.1673383728094391.4.1.0"},
             {"Opdebug.Node_OpDebug.0.3.1673383728094391.4.1.0.0.9"},
         }) {
        CAPTURE(row.name);
        const DumpName name = parsed(row.name);
        CHECK(name.dump_number == row.number);
        CHECK(name.task_id == row.task);
        CHECK(name.stream_id == row.stream);
        CHECK(name.timestamp_us == row.time);
        CHECK(name.context_id == row.context);
        CHECK(name.thread_id == row.thread);
        CHECK(name.device_id == row.device);
    }
}

TEST_CASE("dump names: an overflow dump in any case, the written spelling, and other operators") {
    struct Row {
        const char *name, *type, *op_name;
        bool is_overflow, is_documented;
    };
    for (const Row& row : {Row{"Opdebug.Node_OpDebug.59.1597922031178434", "Opdebug", "Node_OpDebug", true, true},
                           {"OpDebug.Node_Opdebug.59.1597922031178434", "OpDebug", "Node_Opdebug", true, false},
                           {"OPDEBUG.NODE_OPDEBUG.59.1597922031178434", "OPDEBUG", "NODE_OPDEBUG", true, false},
                           {"Opdebugger.Node_OpDebug.59.1597922031178434", "Opdebugger", "Node_OpDebug", false, false},
                           {"Opdebug.Node_OpDebug2.59.1597922031178434", "Opdebug", "Node_OpDebug2", false, false},
                           {"Add.aclnnAdd.3.6.5.1732082705017174", "Add", "aclnnAdd", false, false}}) {
        CAPTURE(row.name);
        const DumpName name = parsed(row.name);
        CHECK(name.op_type == row.type);
        CHECK(name.op_name == row.op_name);
        CHECK(name.is_overflow_dump == row.is_overflow);
        CHECK((name.is_overflow_dump && name.documented_spelling) == row.is_documented);
    }
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
