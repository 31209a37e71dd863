// The lines of single dumps in partial reports: what is written is read again, and what is not as it should be is
// refused.
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "random.hpp"
#include "report/parts/part_lines.hpp"

using namespace opdebug;
using report::DumpLine;
using report::read_dump_line;

namespace {

/// A dump with all that a line can tell; names have bytes that are not UTF-8.
DumpLine full_line() {
    DumpLine line;
    ScanItem& item = line.entry.item;
    item.host = "node-\"7\"";
    item.file = "/dump/\xFF\xFE/Opdebug.Node_OpDebug.57.563.1772618400000003";
    item.state = DumpState::overflowed;
    item.timestamp_us = 1772618400000003;
    item.path_ids = {"20260304100000", 3, "net\n", 11, 0, 18446744073709551615U};
    item.causes = {{"ai_core.float_overflow", Unit::ai_core}, {"aic.undocumented", Unit::aic, true, true, 7, 31}};
    item.operator_type = "MatMul";
    item.operator_name = "net/\xE4\xB8\xAD/MatMul";
    item.model = "Net";
    item.origin = Origin{OriginVerdict::inherited, "input 0 has NaN", true, true, false, true, true};
    item.op_dump = OpDumpState::damaged;
    line.rows = line.document = true;
    return line;
}

/// What a line says, as this program writes it; empty: it is refused.
std::string reread(const std::string& line) {
    const std::optional<DumpLine> read = read_dump_line(line);
    return read ? report::dump_line(*read) : std::string();
}

}  // namespace

TEST_CASE("dump_line: what is written is read again") {
    DumpLine line = full_line();
    const std::optional<DumpLine> read = read_dump_line(report::dump_line(line));
    REQUIRE(read);
    const ScanItem &item = read->entry.item, &wanted = line.entry.item;
    CHECK(item.host == wanted.host);
    CHECK(item.file == wanted.file);
    CHECK(item.state == wanted.state);
    CHECK(item.timestamp_us == wanted.timestamp_us);
    CHECK(item.path_ids.time == wanted.path_ids.time);
    CHECK(item.path_ids.device_id == 3);
    CHECK(item.path_ids.model_name == wanted.path_ids.model_name);
    CHECK(item.path_ids.model_id == 11);
    CHECK(item.path_ids.data_index == 0);
    CHECK(item.path_ids.rank == 18446744073709551615U);
    REQUIRE(item.causes.size() == 2);
    CHECK(item.causes[0].id == "ai_core.float_overflow");
    CHECK_FALSE(item.causes[0].core_id);
    CHECK(item.causes[1].unit == Unit::aic);
    CHECK(item.causes[1].other_task);
    CHECK(item.causes[1].other_model);
    CHECK(item.causes[1].core_id == 7);
    CHECK(item.causes[1].block_id == 31);
    CHECK(item.operator_type == wanted.operator_type);
    CHECK(item.operator_name == wanted.operator_name);
    CHECK(item.model == wanted.model);
    REQUIRE(item.origin);
    CHECK(item.origin->verdict == OriginVerdict::inherited);
    CHECK(item.origin->because == "input 0 has NaN");
    CHECK(item.origin->bad_input);
    CHECK_FALSE(item.origin->integers_only);
    CHECK(item.origin->values_unseen);
    CHECK(item.op_dump == OpDumpState::damaged);
    CHECK(read->rows);
    CHECK(read->document);

    line.entry.item = {};
    line.entry.item.file = "a";
    line.entry.failure_code = "record_truncated";
    line.entry.failure_message = "records \"are\" missing";
    line.document = false;
    const std::optional<DumpLine> failed = read_dump_line(report::dump_line(line));
    REQUIRE(failed);
    CHECK(failed->entry.item.state == DumpState::failed);
    CHECK(failed->entry.failure_code == "record_truncated");
    CHECK(failed->entry.failure_message == "records \"are\" missing");
    CHECK_FALSE(failed->document);
}

TEST_CASE("dump_line: members in any order, with blanks, null where nothing is known, and ones that are not known") {
    CHECK(reread(R"( { "rank" : null, "file" : "a", "later": {"x": [1, {"file": "b"}, "]"]}, "timestamp_us" : 5 , )"
                 R"("state" : "clean", "time": null, "type" : "dump" } )") ==
          R"({"type":"dump","state":"clean","file":"a","timestamp_us":5})");
    CHECK(reread(R"({"type":"dump","state":"clean","file":{"hex":"61ff","later":0}})") ==
          R"({"type":"dump","state":"clean","file":{"hex":"61ff"}})");
}

TEST_CASE("dump_line: what is not as it should be is refused") {
    const std::string begin = R"({"type":"dump","state":"clean","file":"a")";
    REQUIRE(read_dump_line(begin + "}"));
    for (const char* member : {R"("rank":-1)",
                               R"("rank":1.0)",
                               R"("rank":1e2)",
                               R"("rank":"1")",
                               R"("rank":18446744073709551616)",
                               R"("rank":true)",
                               R"("rank":[1])",
                               R"("timestamp_us":{})",
                               R"("host":null)",
                               R"("host":5)",
                               R"("host":{"hex":"6"})",
                               R"("host":{"hex":"6G"})",
                               R"("host":{"hex":"FF"})",
                               R"("host":{"hax":"66"})",
                               R"("host":["a"])",
                               R"("causes":{})",
                               R"("causes":null)",
                               R"("causes":[1])",
                               R"("causes":[{"id":"a"}])",
                               R"("causes":[{"id":"a","unit":"tpu"}])",
                               R"("causes":[{"id":7,"unit":"aic"}])",
                               R"("causes":[{"id":"a","unit":"aic","other_task":1}])",
                               R"("origin":{})",
                               R"("origin":{"verdict":"born"})",
                               R"("origin":null)",
                               R"("op_dump":"half")",
                               R"("op_dump":null)",
                               R"("rows":1)",
                               R"("document":"true")",
                               R"("code":false)",
                               R"("state":"gone")",
                               R"("file":null)",
                               R"("type":"rows")",
                               R"("time":7)",
                               R"("host":NaN)",
                               "\"host\":\"\xFF\"",
                               "\"host\":\"\x01\"",
                               R"("host":"a","":,)"}) {
        CAPTURE(member);
        CHECK_FALSE(read_dump_line(begin + "," + member + "}"));
    }
    for (const char* line : {R"({"type":"dump","state":"clean"})", R"({"type":"dump","file":"a"})",
                             R"({"state":"clean","file":"a"})", "[]", "7", "", "{}", R"("dump")"}) {
        CAPTURE(line);
        CHECK_FALSE(read_dump_line(line));
    }
}

TEST_CASE("dump_line: damage is refused, or gives a line that is sound") {
    const std::string line = report::dump_line(full_line());
    for (std::size_t length = 0; length < line.size(); ++length) {
        CHECK_FALSE(read_dump_line(std::string_view(line).substr(0, length)));
    }
    test::Random random(9);
    for (int i = 0; i < 20000; ++i) {
        std::string damaged = line;
        damaged[static_cast<std::size_t>(random.below(line.size()))] = static_cast<char>(random.below(256));
        const std::string read = reread(damaged);
        REQUIRE((read.empty() || reread(read) == read));
    }
}

TEST_CASE("dump_line: rows") {
    const std::string rows = "a,\"b\"\n\xE4\xB8\xAD,\\x00\t\n";
    CHECK(report::read_rows_line(report::rows_line(rows)) == rows);
    CHECK(report::read_rows_line(R"({"later":[{}],"rows":"\u4e2d","type":"rows"})") == "\xE4\xB8\xAD");
    for (const char* line : {R"({"type":"rows"})", R"({"type":"rows","rows":5})", R"({"type":"rows","rows":null})",
                             R"({"type":"dump","rows":"a"})", R"({"rows":"a"})", R"({"type":"rows","rows":"a)",
                             R"({"type":"rows","rows":{"hex":"61"}})", "{\"type\":\"rows\",\"rows\":\"\xFF\"}"}) {
        CAPTURE(line);
        CHECK_FALSE(report::read_rows_line(line));
    }
}
