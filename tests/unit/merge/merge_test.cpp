// Parts that are missing, cut, foreign or there twice: each costs only itself, and is reported.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dump_builder.hpp"
#include "json_schema.hpp"
#include "packed_text.hpp"
#include "shard_reports.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// Four ranks with two overflows each; the parts of four shards: one rank each.
struct FourParts {
    TemporaryDirectory directory;
    std::string root = directory / "tree";
    std::vector<std::string> parts;

    explicit FourParts(const ReportRequest& request = {}) {
        for (unsigned rank = 0; rank < 4; ++rank) {
            for (unsigned dump = 0; dump < 2; ++dump) {
                write_file(fmt::format("{}/rank_{}/debug_files/{}/Opdebug.Node_OpDebug.57.5.{}", root, rank, dump,
                                       scan_begin_us + (dump * 4 + rank) * second_us),
                           build_overflow_dump(ai_core_example(0x20)));
            }
        }
        for (std::uint64_t i = 0; i < 4; ++i) {
            parts.push_back(
                write_file(directory / fmt::format("part-{}", i), part_text({root}, request, ScanShard{i, 4})));
        }
    }
};

std::string shown(const Merge& merge) {
    const MergeCounts& counts = merge.counts;
    return fmt::format("{} given, {} merged, {} repeated, {} unusable, {} cut, {} missing, {} repeated dumps; {} dumps",
                       counts.given, counts.merged, counts.repeated, counts.unusable, counts.cut, counts.missing,
                       counts.repeated_dumps, merge.scan.counts.dumps);
}

bool has_remark(const Merge& merge, std::string_view code, std::string_view part) {
    return message_of(merge.scan.diagnostics, code).find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("merge: all parts, with nothing to tell") {
    const FourParts four;
    const Merge merge = merged(four.parts);
    CHECK(shown(merge) == "4 given, 4 merged, 0 repeated, 0 unusable, 0 cut, 0 missing, 0 repeated dumps; 8 dumps");
    CHECK(remark_codes(merge.scan.diagnostics).empty());
    CHECK(merge.scan.complete);
}

TEST_CASE("merge: shards that are not there are named") {
    const FourParts four;
    const Merge merge = merged({four.parts[0], four.parts[2]});
    CHECK(shown(merge) == "2 given, 2 merged, 0 repeated, 0 unusable, 0 cut, 2 missing, 0 repeated dumps; 4 dumps");
    CHECK(has_remark(merge, "part_missing", "2 of the 4 shards of " + four.root + " are missing: 1, 3."));
    CHECK_FALSE(merge.scan.complete);
}

TEST_CASE("merge: the same part twice counts once, under whatever name") {
    const FourParts four;
    const std::string copy = write_file(four.directory / "copy", read_file(four.parts[1]));
    std::vector<std::string> parts = four.parts;
    parts.push_back(copy);
    const Merge merge = merged(parts);
    CHECK(shown(merge) == "5 given, 4 merged, 1 repeated, 0 unusable, 0 cut, 0 missing, 0 repeated dumps; 8 dumps");
    CHECK(has_remark(merge, "part_repeated", copy));
}

TEST_CASE("merge: a part that was cut anywhere gives its whole dumps, and the rest is reported") {
    const FourParts four;
    const std::string whole = read_file(four.parts[3]);
    const std::size_t first_line = whole.find('\n') + 1;
    // Without its line break alone the last line is whole: below.
    for (std::size_t length = first_line; length + 1 < whole.size(); length += 97) {
        write_file(four.parts[3], std::string_view(whole).substr(0, length));
        const Merge merge = merged(four.parts);
        CHECK(merge.counts.cut == 1);
        CHECK(has_remark(merge, "part_cut", four.parts[3] + " ends early"));
        CHECK_FALSE(merge.scan.complete);
        // The documents of whole dumps are in whole lines.
        const std::string written_lines = written(merge.report, &ScanReport::write_json_lines);
        std::size_t documents = 0;
        for (std::size_t begin = 0; begin < written_lines.size();) {
            const std::size_t end = written_lines.find('\n', begin);
            const ordered_json line = ordered_json::parse(written_lines.substr(begin, end - begin));
            documents += line.at("schema") == "opdebug.record/1" ? 1U : 0U;
            begin = end + 1;
        }
        CHECK(documents == merge.scan.counts.dumps);
        CHECK(merge.scan.counts.dumps >= 6);
    }
}

TEST_CASE("merge: the last line is whole without its line break, and so is the last of a part that was cut after it") {
    const FourParts four;
    const std::string report = written(merged(four.parts).report, &ScanReport::write_json);
    const std::string whole = read_file(four.parts[3]);
    REQUIRE(whole.back() == '\n');
    write_file(four.parts[3], std::string_view(whole).substr(0, whole.size() - 1));
    const Merge merge = merged(four.parts);
    CHECK(shown(merge) == "4 given, 4 merged, 0 repeated, 0 unusable, 0 cut, 0 missing, 0 repeated dumps; 8 dumps");
    CHECK(written(merge.report, &ScanReport::write_json) == report);

    const std::size_t last_line = whole.rfind('\n', whole.size() - 2) + 1;
    for (const std::size_t length : {whole.size() - 2, last_line, last_line - 1}) {
        write_file(four.parts[3], std::string_view(whole).substr(0, length));
        const Merge cut = merged(four.parts);
        CHECK(shown(cut) == "4 given, 4 merged, 0 repeated, 0 unusable, 1 cut, 0 missing, 0 repeated dumps; 8 dumps");
    }
    write_file(four.parts[3], std::string_view(whole).substr(0, last_line - 2));
    CHECK(shown(merged(four.parts)) ==
          "4 given, 4 merged, 0 repeated, 0 unusable, 1 cut, 0 missing, 0 repeated dumps; 7 dumps");
}

TEST_CASE("merge: a damaged line ends its part, not the others") {
    const FourParts four;
    std::string text = read_file(four.parts[0]);
    text.replace(text.find("{\"schema\":\"opdebug.record/1\""), 10, "{\"schema:!");
    write_file(four.parts[0], text);
    const Merge merge = merged(four.parts);
    CHECK(shown(merge) == "4 given, 4 merged, 0 repeated, 0 unusable, 1 cut, 0 missing, 0 repeated dumps; 6 dumps");
    CHECK(has_remark(merge, "part_cut", "after its first 0 dumps line 2 is damaged"));
}

TEST_CASE("merge: what is no part of a report is named, with the reason") {
    const FourParts four;
    const TemporaryDirectory directory;
    const std::string part = read_file(four.parts[3]);
    const auto merged_with = [&](const std::string& text) {
        std::vector<std::string> parts = four.parts;
        parts[3] = write_file(directory / "other", text);
        const Merge merge = merged(parts);
        CHECK(shown(merge) == "4 given, 3 merged, 0 repeated, 1 unusable, 0 cut, 1 missing, 0 repeated dumps; 6 dumps");
        return message_of(merge.scan.diagnostics, "part_unusable");
    };
    const auto changed = [&part](const std::string& from, const std::string& to) {
        std::string text = part;
        return text.replace(text.find(from), from.size(), to);
    };
    const auto holds = [](const std::string& text, const char* part_of_it) {
        return text.find(part_of_it) != std::string::npos;
    };
    CHECK(holds(merged_with(""), "the file is empty"));
    CHECK(holds(merged_with("hello\n"), "not a scan report"));
    CHECK(holds(merged_with(changed("opdebug.report/1", "opdebug.report/2")), "from another version"));
    CHECK(holds(merged_with(changed("\"version\":3", "\"version\":4")), "from another version"));
    const Merge absent = merged({four.parts[0], four.parts[1], four.parts[2], directory / "absent"});
    CHECK(has_remark(absent, "part_unusable", directory / "absent"));
    const Result<Merge> nothing = merge_reports({{directory / "absent"}});
    REQUIRE_FALSE(nothing.ok());
    CHECK(nothing.error().code == ErrorCode::invalid_argument);
}

TEST_CASE("merge: a packed part that is cut or damaged before the end of its first line is not called empty") {
    const FourParts four;
    const std::string text = read_file(four.parts[3]);
    std::string damaged = gzip_of(text);
    damaged.replace(10, 40, std::string(40, '\xFF'));
    // The last: a stream that ends in the middle of the first line.
    for (const std::string& bytes : {gzip_of(text).substr(0, 30), zstd_of(text).substr(0, 30), damaged,
                                     gzip_of(text.substr(0, 20)).substr(0, 26)}) {
        std::vector<std::string> parts = four.parts;
        parts[3] = write_file(four.directory / "packed", bytes);
        const Merge merge = merged(parts);
        CHECK(merge.counts.unusable == 1);
        const std::string message = message_of(merge.scan.diagnostics, "part_unusable");
        CAPTURE(message);
        CHECK(message.find("first line is incomplete: the ") != std::string::npos);
        CHECK(message.find("copy the file again") != std::string::npos);
    }
}

TEST_CASE("merge: a packed part may begin with frames that readers of Zstandard skip, as every file of pzstd does") {
    const FourParts four;
    const std::array<std::string, 5> whole = all_forms(merged(four.parts).report);
    const std::string packed = zstd_of(read_file(four.parts[3]));
    // RFC 8878, 3.1.2: a magic number from 0x184D2A50 to 0x184D2A5F, the size, bytes of any kind.
    for (const char first : {'\x50', '\x5f'}) {
        const std::string frame = first + std::string("\x2a\x4d\x18\x04\0\0\0", 7) + "size";
        std::vector<std::string> parts = four.parts;
        parts[3] = write_file(four.directory / "packed", frame + packed);
        const Merge merge = merged(parts);
        CHECK(shown(merge) == "4 given, 4 merged, 0 repeated, 0 unusable, 0 cut, 0 missing, 0 repeated dumps; 8 dumps");
        CHECK((all_forms(merge.report) == whole));
    }
}

TEST_CASE("merge: a dump that two hosts scanned counts once; dumps of two disks under one path do not") {
    const FourParts four;
    ReportRequest request;
    std::vector<std::string> parts;
    for (const char* host : {"a", "b"}) {
        request.host = host;
        parts.push_back(
            write_file(four.directory / (std::string("host-") + host), part_text({four.root}, request, std::nullopt)));
    }
    const Merge same = merged(parts);
    CHECK(shown(same) == "2 given, 2 merged, 0 repeated, 0 unusable, 0 cut, 0 missing, 8 repeated dumps; 8 dumps");
    CHECK(has_remark(same, "dumps_repeated", parts[0] + " and " + parts[1]));

    // The other disk: the same paths, another status.
    write_file(fmt::format("{}/rank_0/debug_files/0/Opdebug.Node_OpDebug.57.5.{}", four.root, scan_begin_us),
               build_overflow_dump(ai_core_example(0x10)));
    write_file(parts[1], part_text({four.root}, request, std::nullopt));
    const Merge other = merged(parts);
    CHECK(shown(other) == "2 given, 2 merged, 0 repeated, 0 unusable, 0 cut, 0 missing, 7 repeated dumps; 9 dumps");
    const ordered_json report = ordered_json::parse(written(other.report, &ScanReport::write_json));
    CHECK(report["timeline"][0]["host"] == "a");
    CHECK(report["timeline"][1]["host"] == "b");
    CHECK(report["timeline"][0]["rank"] == 0);

    // The same is true where a part names no host.
    request.host.clear();
    write_file(parts[1], part_text({four.root}, request, std::nullopt));
    const Merge unnamed = merged(parts);
    CHECK(shown(unnamed) == "2 given, 2 merged, 0 repeated, 0 unusable, 0 cut, 0 missing, 7 repeated dumps; 9 dumps");
    CHECK(std::any_of(unnamed.scan.diagnostics.begin(), unnamed.scan.diagnostics.end(), [](const Diagnostic& remark) {
        return remark.code == "dumps_repeated" && remark.message.find("1 dump has the same path and time") == 0;
    }));
}

TEST_CASE("merge: shards of different trees are reported") {
    const FourParts four;
    write_file(fmt::format("{}/rank_9/debug_files/0/Opdebug.Node_OpDebug.57.5.{}", four.root, scan_begin_us),
               build_overflow_dump(ai_core_example(0x20)));
    std::vector<std::string> parts = four.parts;
    write_file(parts[2], part_text({four.root}, {}, ScanShard{2, 4}));
    const Merge merge = merged(parts);
    CHECK(has_remark(merge, "trees_differ", "found 2 different trees"));
    CHECK_FALSE(merge.scan.complete);
}

TEST_CASE("merge: parts with and without tensors give what both have") {
    const FourParts four;
    ReportRequest request;
    request.tensors = request.all = true;
    std::vector<std::string> parts = four.parts;
    write_file(parts[2], part_text({four.root}, request, ScanShard{2, 4}));
    const Merge merge = merged(parts);
    CHECK(remark_codes(merge.scan.diagnostics) == "parts_differ");
    CHECK_FALSE(ordered_json::parse(written(merge.report, &ScanReport::write_json)).contains("chains"));
}

TEST_CASE("merge: of parts with other --all and --first the timeline has what all of them show") {
    const FourParts four;
    // A clean dump before all others: it shows where clean ones are in the timeline.
    write_file(
        fmt::format("{}/rank_0/debug_files/0/Opdebug.Node_OpDebug.57.5.{}", four.root, scan_begin_us - second_us),
        build_overflow_dump(ai_core_example(0)));
    for (std::uint64_t i = 0; i < 4; ++i) {
        ReportRequest request;
        request.all = i == 0;
        request.first = i == 2 ? 3 : 5;
        write_file(four.parts[i], part_text({four.root}, request, ScanShard{i, 4}));
    }
    const Merge merge = merged(four.parts);
    CHECK(remark_codes(merge.scan.diagnostics) == "parts_differ");
    CHECK(merge.scan.counts.clean == 1);
    const ordered_json report = ordered_json::parse(written(merge.report, &ScanReport::write_json));
    REQUIRE(report["timeline"].size() == 3);
    for (const ordered_json& record : report["timeline"]) {
        CHECK(record["overflow"] == true);
    }
}

TEST_CASE("merge: failures of all parts stand in the order of their paths") {
    const TemporaryDirectory directory;
    const FourParts four;
    std::vector<std::string> parts;
    for (const char* host : {"b", "a"}) {  // each with a path that is not there
        ReportRequest request;
        request.host = host;
        parts.push_back(write_file(directory / (std::string("part-") + host),
                                   part_text({four.root, directory / (std::string("absent-") + host)}, request, {})));
    }
    for (int round = 0; round < 2; ++round) {
        const Merge merge = merged(parts);
        REQUIRE(merge.scan.failures.size() == 2);
        CHECK(merge.scan.failures[0].file == directory / "absent-a");
        CHECK(merge.scan.failures[1].file == directory / "absent-b");
        std::swap(parts[0], parts[1]);
    }
}

TEST_CASE("merge: a shard of the tree as it was and one of the tree as it is are two, not one that came twice") {
    const FourParts four;
    write_file(fmt::format("{}/rank_9/debug_files/0/Opdebug.Node_OpDebug.57.5.{}", four.root, scan_begin_us),
               build_overflow_dump(ai_core_example(0x20)));
    std::vector<std::string> parts = four.parts;
    parts.push_back(write_file(four.directory / "later", part_text({four.root}, {}, ScanShard{2, 4})));
    const Merge merge = merged(parts);
    CHECK(has_remark(merge, "trees_differ", "found 2 different trees"));
    CHECK(message_of(merge.scan.diagnostics, "part_repeated").empty());
    CHECK(merge.counts.merged == 5);
}

TEST_CASE("merge: the lines of reports for merging are those of the schema") {
    ReportRequest request;
    request.tensors = request.all = true;
    request.host = "node \xFF";
    const TemporaryDirectory directory;
    write_random_tree(directory / "tree", 4711);
    const std::string text = part_text({directory / "tree", directory / "absent"}, request, ScanShard{0, 2});
    const auto verdict = schema_verdict("report-line", text);
    if (verdict) {
        CHECK(*verdict == fmt::format("{} valid\n", std::count(text.begin(), text.end(), '\n')));
    }
}
