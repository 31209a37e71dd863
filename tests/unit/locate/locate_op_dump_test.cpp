// The operator's own dump in the folder of the overflow dump.
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "dump_builder.hpp"
#include "location.hpp"
#include "log_builder.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::uint64_t op_dump_time = 1772618405000000;  // 2026-03-04 10:00:05 UTC

std::string op_dump_at(std::int64_t microseconds_later) {
    return std::to_string(static_cast<std::int64_t>(op_dump_time) + microseconds_later);
}

/// A folder with one overflow dump (stream 21, task 118) and what the test puts next to it.
class DumpFolder {
public:
    explicit DumpFolder(RecordIds ids = {21, 118, 3}) : dump_(dump_of(ids, 5000)) {
        dump_.file = folder_ / ("Opdebug.Node_OpDebug.2.5." + op_dump_at(0));
        write_file(dump_.file, build_overflow_dump(ai_core_example()));
    }

    /// An operator dump whose header names the node.
    DumpFolder& add(const std::string& file, const std::string& header_name) {
        DumpFile dump;
        dump.outputs.push_back(tensor({1, 2, 3, 4}));
        dump.op_name = header_name;
        write_file(folder_ / file, build_v2(dump));
        return *this;
    }
    DumpFolder& add_text(const std::string& file, std::string_view text) {
        write_file(folder_ / file, text);
        return *this;
    }

    Location location(const std::shared_ptr<const TaskMap>& map = nullptr, const Limits& limits = {}) const {
        LocateOptions options;
        options.task_map = map;
        options.utc_offset_minutes = 0;
        options.limits = limits;
        return locate(dump_, options);
    }
    std::string path(const std::string& file) const { return folder_ / file; }

private:
    TemporaryDirectory folder_;
    Dump dump_;
};

std::shared_ptr<const TaskMap> log_of(std::string_view op) {
    LogText log;
    log.at(0).bind(3, 21, "toy_net").save_dump_task(op, 21, 118).launch_2023(21, 118, "00_1_" + std::string(op));
    return task_map_of(log);
}

}  // namespace

TEST_CASE("op dump: the dump next to it with the record's stream and task is the operator's") {
    DumpFolder folder;
    folder.add("Exp.net_softmax_Exp.118.21." + op_dump_at(-1500), "net/softmax/Exp");
    const Location location = folder.location();
    CHECK(shown(location.op) == "net/softmax/Exp|Exp|-|exact");
    REQUIRE((location.op && location.op->best.evidence.size() == 1));
    CHECK(location.op->best.evidence[0].kind == EvidenceKind::op_dump);
    CHECK(location.op->best.evidence[0].file == folder.path("Exp.net_softmax_Exp.118.21." + op_dump_at(-1500)));
    CHECK_FALSE(location.op->best.evidence[0].line.has_value());
    CHECK(contains(location.op->best.evidence[0].text, "1500 us before"));
    CHECK(remarks_of(location).empty());
}

TEST_CASE("op dump: one that is nearer to another overflow dump of the same ids is of that one") {
    struct Row {
        RecordIds other;
        std::int64_t later;
        bool is_its;
    };
    for (const Row& row : {Row{{21, 118, 3}, 4000, false}, Row{{21, 118, 3}, 6000, false},
                           Row{{21, 118, 3}, 11'000, true}, Row{{21, 119, 3}, 4000, true}}) {
        CAPTURE(row.later);
        DumpFolder folder;
        folder.add("Exp.net_softmax_Exp.118.21." + op_dump_at(5000), "net/softmax/Exp");
        LegacyPayload payload = ai_core_example();
        payload.ai_core.stream_id = row.other.stream;
        payload.ai_core.task_id = row.other.task;
        write_file(folder.path("Opdebug.Node_OpDebug.2.5." + op_dump_at(row.later)), build_overflow_dump(payload));
        CHECK(folder.location().op.has_value() == row.is_its);
    }
}

TEST_CASE("op dump: an exception dump, of an operator that failed, is no dump of an overflowed operator") {
    for (const char* const name :
         {"exception_info.21.118.20260304100005000", "exception_info.5.118.1.21.20260304100005000",
          "Exp.net_Exp.118.20260304100005000"}) {
        DumpFolder folder;
        folder.add(name, "net/softmax/Exp");
        CHECK_FALSE(folder.location().op.has_value());
    }
}

TEST_CASE("op dump: of the dumps with the record's ids the nearest in time is the operator's") {
    struct Row {
        RecordIds ids;
        std::vector<std::pair<std::string, std::string>> files;  ///< what precedes and follows the time
        std::string operators;
        std::string remarks;
    };
    const auto at = [](const std::string& name, std::int64_t later, const std::string& ids = "") {
        return name + "." + op_dump_at(later) + ids;
    };
    const RecordIds ids{21, 118, 3}, wrapped{21, 65536 + 118, 3};
    const std::vector<Row> rows{
        // Other streams and tasks, and other overflow dumps, are not the operator's.
        {ids,
         {{at("Exp.a.119.21", 0), "a"}, {at("Exp.b.118.22", 0), "b"}, {at("Opdebug.Node_OpDebug.118.21", 3), "c"}},
         "none",
         "warning no_logs"},
        {ids, {{at("Exp.a.118.21", -9'000'000), "far"}, {at("Exp.b.118.21", -100), "near"}}, "near|Exp|-|exact", ""},
        {ids, {{at("Exp.a.118.21", -100), "near"}, {at("Exp.b.118.21", 5000), "later"}}, "near|Exp|-|exact", ""},
        {ids, {{at("Exp.a.118.21", -101), "before"}, {at("Exp.b.118.21", 100), "after"}}, "after|Exp|-|exact", ""},
        {ids,
         {{at("Exp.a.118.21", -100), "before"}, {at("Mul.b.118.21", 100), "after"}},
         "before|Exp|-|type; after|Mul|-|type",
         ""},
        // The same operator twice at one distance is one answer.
        {ids, {{at("Add.a.118.21", -10), "net/Add"}, {at("Add.a.118.21", 10), "net/Add"}}, "net/Add|Add|-|exact", ""},
        // Ids are reused: minutes away, before or after, it may be another execution.
        {ids, {{at("Exp.a.118.21", -59'000'000), "old"}}, "old|Exp|-|type", ""},
        {ids, {{at("Exp.a.118.21", -61'000'000), "old"}}, "old|Exp|-|type", "warning op_dump_far_in_time"},
        {ids, {{at("Exp.a.118.21", 61'000'000), "new"}}, "new|Exp|-|type", "warning op_dump_far_in_time"},
        // Names of 2020 have no stream.
        {ids, {{at("Exp.a.118", -100), "net/Exp"}, {at("Exp.b.119", -50), "other"}}, "net/Exp|Exp|-|type", ""},
        // Context and thread choose among the dumps of an FFTS+ task.
        {{21, 118, 3, 2, 0},
         {{at("Add.a.118.21", -10, ".4.1.0.0"), "a"}, {at("Mul.b.118.21", -500, ".4.2.0.0"), "b"}},
         "b|Mul|-|exact",
         ""},
        {{21, 118, 3, 2, 0},
         {{at("Mul.b.118.21", -500, ".4.2.0.0"), "b"}, {at("Sub.c.118.21", -5), "c"}},
         "b|Mul|-|exact",
         ""},
        {{21, 118, 3, 2, 1},
         {{at("Add.a.118.21", -10, ".4.2.0.0"), "a"}, {at("Add.b.118.21", -20, ".4.3.1.0"), "b"}},
         "none",
         "warning no_logs"},
        {{21, 118, 3, 2, 1},
         {{at("Add.a.118.21", -10, ".4.2.0.0"), "a"}, {at("Add.c.118.21", -30, ".4.2.1.0"), "c"}},
         "c|Add|-|exact",
         ""},
        // Task ids wrap at 16 bits.
        {wrapped, {{at("Exp.a.118.21", -10), "lower"}}, "lower|Exp|-|exact", ""},
        {wrapped, {{at("Exp.a.118.21", -10), "lower"}, {at("Exp.b.65654.21", -100), "whole"}}, "whole|Exp|-|exact", ""},
        // A dump number can precede the task.
        {ids, {{at("Exp.a.7.118.21", -100), "a"}, {at("Exp.b.118.7.21", -50), "b"}}, "a|Exp|-|exact", ""},
    };
    for (const Row& row : rows) {
        CAPTURE(row.operators);
        CAPTURE(row.files.front().first);
        DumpFolder folder(row.ids);
        for (const auto& [file, header] : row.files) {
            folder.add(file, header);
        }
        const Location location = folder.location();
        const std::string candidates = candidates_of(location);
        CHECK((candidates.empty() ? shown(location.op) : candidates) == row.operators);
        CHECK(remarks_of(location) == row.remarks);
    }
}

TEST_CASE("op dump: a record without a stream takes the dump whose name has none either") {
    DumpFolder folder({65535, 118, 3});
    folder.add("Add.net_other.118.21." + op_dump_at(100), "net/other")
        .add("Add.net_2020.118." + op_dump_at(100), "net/2020");
    CHECK(shown(folder.location().op) == "none");
    folder.add("Add.net_add.118.65535." + op_dump_at(300), "net/add");
    CHECK(shown(folder.location().op) == "net/add|Add|-|exact");
    CHECK(remarks_of(folder.location()) == "warning ids_not_set");
    CHECK(contains(message_of(folder.location(), "ids_not_set"), "no stream id ("));
    CHECK(shown(DumpFolder({21, 65535, 3}).add("Add.net_add.65535.21." + op_dump_at(300), "net/add").location().op) ==
          "none");
}

TEST_CASE("op dump: a file with a number for a name is looked up in mapping.csv") {
    DumpFolder folder;
    folder.add("17", "net/long/Exp").add("18", "net/other");
    folder.add_text("mapping.csv", "17,Exp.net_long_Exp.118.21." + op_dump_at(-100) + "\n18,Mul.net_other.119.21." +
                                       op_dump_at(0) + "\n");
    const Location location = folder.location();
    CHECK(shown(location.op) == "net/long/Exp|Exp|-|exact");
    REQUIRE((location.op && location.op_dump));
    CHECK(location.op->best.evidence[0].file == folder.path("17"));
    CHECK(location.op_dump->file == folder.path("17"));
    CHECK(location.op_dump->real_name == "Exp.net_long_Exp.118.21." + op_dump_at(-100));
    CHECK(location.op_dump->equally_good == 0);
}

TEST_CASE("op dump: a header that cannot be read leaves the file's name, and the proof says so") {
    DumpFolder folder;
    folder.add_text("Exp.net_softmax_Exp.118.21." + op_dump_at(-100), "damaged");
    const Location location = folder.location();
    CHECK(shown(location.op) == "net_softmax_Exp|Exp|-|exact");
    REQUIRE(location.op.has_value());
    CHECK(contains(location.op->best.evidence[0].text, "the header has no name"));
}

TEST_CASE("op dump: a text of the AICPU scheduler, called by the operator and \"Debug\", is not the operator's dump") {
    const std::string text = "Cust.net_custDebug.118.21." + op_dump_at(10);
    const std::string_view printed = "[AICPU] tile 3 of 8, 512 elements\n";
    CHECK(shown(DumpFolder().add_text(text, printed).location().op) == "none");
    CHECK(shown(DumpFolder()
                    .add_text(text, printed)
                    .add("Cust.net_cust.118.21." + op_dump_at(900), "net/cust")
                    .location()
                    .op) == "net/cust|Cust|-|exact");
}

TEST_CASE("op dump: a log that names the same operator adds kernel, model and its lines") {
    DumpFolder folder;
    folder.add_text("Exp.net_softmax_Exp.118.21." + op_dump_at(-100), "damaged");
    check_located(folder.location(log_of("net/softmax/Exp")),
                  {.op = "net/softmax/Exp|Exp|00_1_net/softmax/Exp|exact",
                   .candidates = "",
                   .model = "toy_net|3|-|-",
                   .remarks = "",
                   .proof = "op_dump " + folder.path("Exp.net_softmax_Exp.118.21." + op_dump_at(-100)) +
                            ":-, ge_log log0:2, runtime_log log0:3"});
}

TEST_CASE("op dump: a log that names another operator is listed next to it, with a warning") {
    DumpFolder folder;
    folder.add("Exp.net_softmax_Exp.118.21." + op_dump_at(-100), "net/softmax/Exp");
    check_located(folder.location(log_of("net/other/Mul")),
                  {.op = "net/softmax/Exp|Exp|-|type",
                   .candidates = "net/softmax/Exp|Exp|-|type; net/other/Mul|-|00_1_net/other/Mul|type",
                   .remarks = "warning sources_disagree"});
}

TEST_CASE("op dump: a log that knows only the kernel adds it") {
    DumpFolder folder;
    folder.add("Exp.net_softmax_Exp.118.21." + op_dump_at(-100), "net/softmax/Exp");
    LogText log;
    log.at(1000).launch(21, 0, "Exp_0123456789abcdef0123456789abcdef_7").sent(21, 118);
    check_located(folder.location(task_map_of(log)),
                  {.op = "net/softmax/Exp|Exp|Exp_0123456789abcdef0123456789abcdef_7|exact", .candidates = ""});
}

TEST_CASE("op dump: a node that only a kernel's name tells is spelled as in the dump's header") {
    DumpFolder folder;
    folder.add("Exp.net_softmax_Exp.118.21." + op_dump_at(-100), "net/softmax/Exp");
    LogText log;
    log.at(0).bind(3, 21, "toy_net").launch_2021(21, 118, "-1_0_1_net_softmax_Exp");
    check_located(folder.location(task_map_of(log)),
                  {.op = "net/softmax/Exp|Exp|-1_0_1_net_softmax_Exp|exact", .candidates = ""});
}

TEST_CASE("op dump: with it an answer is exact, also where the lines may be of another use of the ids") {
    DumpFolder folder;
    folder.add("Exp.net_softmax_Exp.118.21." + op_dump_at(-100), "net/softmax/Exp");
    LogText log;
    log.at(0).bind(8, 21, "toy_net").save_dump_task("net/softmax/Exp", 21, 118);
    check_located(folder.location(task_map_of(log)),
                  {.op = "net/softmax/Exp|Exp|-|exact", .remarks = "warning model_id_differs"});
}

TEST_CASE("op dump: a log that says nothing of the task does not weaken the operator dump") {
    DumpFolder folder;
    folder.add("Exp.net_softmax_Exp.118.21." + op_dump_at(-100), "net/softmax/Exp");
    LogText log;
    log.at(0).bind(3, 22).at(9000).ge("Run", "noise");
    CHECK(shown(folder.location(task_map_of(log)).op) == "net/softmax/Exp|Exp|-|exact");
}

TEST_CASE("op dump: a dump decoded from memory, or whose folder is gone, has none") {
    Dump dump = dump_of({21, 118, 3}, 5000);
    CHECK(remarks_of(locate_in(nullptr, dump)) == "warning no_logs");
    dump.file = "/nowhere/at/all/Opdebug.Node_OpDebug.2.5.1772618405000000";
    CHECK(remarks_of(locate_in(nullptr, dump)) == "warning no_logs");
}

TEST_CASE("op dump: a kernel of another node is not given to the operator of the dump") {
    DumpFolder folder;
    folder.add("Add.net_Add_17.118.21." + op_dump_at(100), "net/Add_17");
    LogText log;
    log.at(0).bind(3, 21, "toy_net").launch_2021(21, 118, "-1_0_1_net/Mul_3");
    const Location location = folder.location(task_map_of(log));
    CHECK(shown(location.op) == "net/Add_17|Add|-|type");
    CHECK(contains(remarks_of(location), "sources_disagree"));
}

TEST_CASE("op dump: of equally near ones the dump is that of the operator, and the others are counted") {
    DumpFolder folder;
    folder.add("Exp.a.118.21." + op_dump_at(-100), "net/a").add("Mul.b.118.21." + op_dump_at(100), "net/b");
    // The log confirms the second, which leads then.
    const Location location = folder.location(log_of("net/b"));
    REQUIRE((location.op && location.op_dump));
    CHECK(location.op->best.name == "net/b");
    CHECK(location.op_dump->file == folder.path("Mul.b.118.21." + op_dump_at(100)));
    CHECK(location.op_dump->equally_good == 1);
    CHECK_FALSE(DumpFolder().location().op_dump);
}
