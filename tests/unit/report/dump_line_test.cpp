// The lines of single dumps: what is written is read again, and what is damaged is refused.
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "random.hpp"
#include "report/parts/part_lines.hpp"

using namespace opdebug;
using report::DumpLine;
using report::read_dump_line;
using report::ScanEntry;

namespace {

/// A dump with all that a line can hold; the name has bytes that are not UTF-8.
ScanEntry full_entry() {
    ScanEntry entry;
    ScanItem& item = entry.item;
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
    return entry;
}

constexpr const char* kDocument = R"({"schema":"opdebug.record/1","file":"a","host":"b","rank":3,"timestamp_us":5,)"
                                  R"("path_ids":{"time":null,"rank":3},"records":[]})";

/// A line as this program writes it; empty: it is refused.
std::string reread(const std::string& line) {
    const std::optional<DumpLine> read = read_dump_line(line);
    return read ? report::dump_line(read->entry, read->rows) : std::string();
}

}  // namespace

TEST_CASE("dump_line: what is written is read again") {
    const ScanEntry entry = full_entry();
    const std::optional<DumpLine> read = read_dump_line(report::dump_line(entry, "a,\"b\"\n\xE4\xB8\xAD,\n"));
    REQUIRE(read);
    CHECK(read->rows == "a,\"b\"\n\xE4\xB8\xAD,\n");
    CHECK(read->document.empty());
    const ScanItem &item = read->entry.item, &wanted = entry.item;
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

    ScanEntry failed;
    failed.item.file = "a";
    failed.failure_code = "record_truncated";
    failed.failure_message = "records \"are\" missing";
    const std::optional<DumpLine> reread = read_dump_line(report::dump_line(failed, {}));
    REQUIRE(reread);
    CHECK(reread->entry.item.state == DumpState::failed);
    CHECK(reread->entry.failure_code == "record_truncated");
    CHECK(reread->entry.failure_message == "records \"are\" missing");
}

TEST_CASE("dump_line: the record document is the same without the item") {
    const std::string line = report::document_line(kDocument, full_entry(), "r\n");
    const std::optional<DumpLine> read = read_dump_line(line);
    REQUIRE(read);
    CHECK(read->document == kDocument);
    CHECK(read->rows == "r\n");
    CHECK(read->entry.item.host == "b");
    CHECK(read->entry.item.file == full_entry().item.file);
    CHECK(read->entry.item.timestamp_us == 5);
    CHECK(read->entry.item.path_ids.rank == 3);
    CHECK_FALSE(read->entry.item.path_ids.time);
    CHECK_FALSE(read_dump_line(kDocument));
}

TEST_CASE("dump_line: members in any order, with blanks, null for unknown values, and unknown members") {
    CHECK(reread(R"( { "host" : null, "file" : "a", "later": {"x": [1, {"file": "b"}, "]"]}, "timestamp_us" : 5 , )"
                 R"("item" : { "later": 1, "state" : "clean" }, "path_ids": {"time": null}, "type" : "dump" } )") ==
          R"({"type":"dump","file":"a","timestamp_us":5,"path_ids":{},"item":{"state":"clean"}})");
}

TEST_CASE("dump_line: a damaged line is refused") {
    const std::string begin = R"({"type":"dump","file":"a","item":{"state":"clean")";
    REQUIRE(read_dump_line(begin + "}}"));
    for (const char* member : {R"("file":{"hex":"6"})",
                               R"("file":{"hex":"6G"})",
                               R"("file":{"hax":"66"})",
                               R"("file":["a"])",
                               R"("causes":{})",
                               R"("causes":null)",
                               R"("causes":[1])",
                               R"("causes":[{"id":"a"}])",
                               R"("causes":[{"id":"a","unit":"tpu"}])",
                               R"("causes":[{"id":7,"unit":"aic"}])",
                               R"("causes":[{"id":"a","unit":"aic","other_task":1}])",
                               R"("causes":[{"id":"a","unit":"aic","core_id":1e2}])",
                               R"("origin":{})",
                               R"("origin":{"verdict":"born"})",
                               R"("op_dump":"half")",
                               R"("op_dump":null)",
                               R"("rows":1)",
                               R"("code":false)",
                               R"("state":"gone")",
                               R"("model":NaN)",
                               R"("later":NaN)",
                               R"("later":[{"a":-Infinity}])",
                               R"("later":1e999)",
                               R"("later":"\ud83d")",
                               R"("\udc00":1)",
                               "\"model\":\"\xFF\"",
                               "\"model\":\"\x01\"",
                               R"("model":"a","":,)"}) {
        CAPTURE(member);
        CHECK_FALSE(read_dump_line(begin + "," + member + "}}"));
    }
    for (const char* member :
         {R"("timestamp_us":{})", R"("timestamp_us":-1)", R"("timestamp_us":18446744073709551616)", R"("host":5)",
          R"("path_ids":{"rank":1.0})", R"("path_ids":{"rank":"1"})", R"("path_ids":{"time":7})", R"("path_ids":[])",
          R"("file":null)", R"("type":"rows")", R"("item":{})", R"("item":7)"}) {
        CAPTURE(member);
        CHECK_FALSE(read_dump_line(begin + "}," + member + "}"));
    }
    for (const std::string& line :
         {begin + "}} {}", "\xEF\xBB\xBF" + begin + "}}", begin + "}}" + std::string(1, '\0')}) {
        CAPTURE(line);
        CHECK_FALSE(read_dump_line(line));
    }
    for (const char* line : {R"({"type":"dump","item":{"state":"clean"}})", R"({"type":"dump","file":"a"})",
                             R"({"file":"a","item":{"state":"clean"}})", "[]", "7", "", "{}", R"("dump")"}) {
        CAPTURE(line);
        CHECK_FALSE(read_dump_line(line));
    }
}

TEST_CASE("dump_line: damage is refused, or gives a sound line") {
    const std::string line = report::document_line(kDocument, full_entry(), "a,b\n");
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
