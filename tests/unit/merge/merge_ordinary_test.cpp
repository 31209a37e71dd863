// Reports written without --shard and --host: what one scan of all would have given, as far as they list it.
#include <doctest/doctest.h>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "dump_builder.hpp"
#include "json_schema.hpp"
#include "shard_reports.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

std::string ordinary(const std::string& file, const std::vector<std::string>& paths, const ReportRequest& request) {
    return write_file(file, written(scanned_report(paths, request), &ScanReport::write_json_lines));
}

ordered_json document_of(const ScanReport& report) {
    return ordered_json::parse(written(report, &ScanReport::write_json));
}

/// Of the remarks only those on the order: each part reports its own damage and names, as parts of several hosts do.
ordered_json comparable(ordered_json document) {
    ordered_json diagnostics = ordered_json::array();
    for (const ordered_json& diagnostic : document["diagnostics"]) {
        if (diagnostic["code"] == "first_uncertain") {
            diagnostics.push_back(diagnostic);
        }
    }
    document["diagnostics"] = diagnostics;
    return document;
}

/// Without the remarks that compare with ranks, devices and steps of clean dumps.
void drop_remarks_of_groups(ordered_json& document) {
    for (ordered_json& group : document["groups"]) {
        group.erase("remarks");
    }
}

void write_dump(const std::string& root, unsigned rank, std::uint64_t seconds, std::uint64_t status) {
    write_file(fmt::format("{}/rank_{}/debug_files/0/Opdebug.Node_OpDebug.57.5.{}", root, rank,
                           scan_begin_us + seconds * second_us),
               build_overflow_dump(ai_core_example(status)));
}

std::string message(const Merge& merge, std::string_view code) {
    return message_of(merge.scan.diagnostics, code);
}

/// The message of the only first_uncertain.
std::string doubt_of(const ScanReport& report) {
    const ordered_json doubts = comparable(document_of(report))["diagnostics"];
    return doubts.size() == 1 ? doubts[0]["message"].get<std::string>() : "";
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("merge: ordinary reports of random trees give the report of one scan") {
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        const TemporaryDirectory directory;
        const std::string a = directory / "a", b = directory / "b";
        write_random_tree(a, seed);
        write_random_tree(b, seed + 100);
        ReportRequest request;
        request.all = seed % 2 == 0;
        request.tensors = seed % 3 == 0;
        ordered_json expected = comparable(document_of(scanned_report({a, b, directory / "absent"}, request)));
        const Merge merge = merged({ordinary(directory / "a.jsonl", {a, directory / "absent"}, request),
                                    ordinary(directory / "b.jsonl", {b}, request)});
        ordered_json got = comparable(document_of(merge.report));
        expected["inputs"] = got["inputs"];  // the same in another order
        for (ordered_json* document : {&expected, &got}) {
            if (!request.all) {
                drop_remarks_of_groups(*document);
            }
        }
        for (const auto& item : expected.items()) {
            const std::string difference = ordered_json::diff(item.value(), got[item.key()]).dump();
            CHECK_MESSAGE(difference == "[]", "seed " << seed << ", " << item.key());
        }
        CHECK(got.size() == expected.size());
    }
}

TEST_CASE("merge: dumps that an ordinary report does not list still count, and are reported") {
    const TemporaryDirectory directory;
    const std::string a = directory / "a", b = directory / "b";
    for (unsigned rank = 0; rank < 4; ++rank) {
        write_dump(a, rank, rank, 0x20);
    }
    write_dump(a, 8, 0, 0);
    write_dump(b, 9, 9, 0x20);
    ReportRequest two;
    two.first = 2;
    const std::vector<std::string> files{ordinary(directory / "a.jsonl", {a}, two),
                                         ordinary(directory / "b.jsonl", {b}, {})};
    const Merge merge = merged(files);
    CHECK(merge.scan.counts.dumps == 6);
    CHECK(merge.scan.counts.overflowed == 5);
    CHECK(merge.scan.counts.clean == 1);
    const std::string told = message(merge, "part_is_ordinary");
    CHECK(holds(told, "2 overflowed dumps dropped by --first"));
    CHECK(holds(told, "1 clean dump without a line"));
    const ordered_json report = document_of(merge.report);
    CHECK(report["timeline"].size() == 2);
    CHECK(report["groups"][0]["count"] == 3);

    SUBCASE("and when the merged report is merged again") {
        MergeOptions options;
        options.report.partial = true;
        const std::string text = written(merged({files[0]}, options).report, &ScanReport::write_json_lines);
        const auto verdict = schema_verdict("report-line", text);
        if (verdict) {
            CHECK(*verdict == fmt::format("{} valid\n", std::count(text.begin(), text.end(), '\n')));
        }
        const Merge again = merged({write_file(directory / "half", text), files[1]});
        CHECK(document_of(again.report)["counts"] == report["counts"]);
        CHECK(document_of(again.report)["timeline"] == report["timeline"]);
    }
}

TEST_CASE("merge: ordinary reports with the same paths") {
    const TemporaryDirectory directory;
    const std::string root = directory / "tree";
    write_dump(root, 0, 0, 0x20);
    write_dump(root, 1, 1, 0x20);
    const std::string first = ordinary(directory / "first", {root}, {});

    SUBCASE("the same report twice counts once") {
        const Merge merge = merged({first, write_file(directory / "copy", read_file(first))});
        CHECK(merge.counts.repeated == 1);
        CHECK(merge.scan.counts.dumps == 2);
    }
    SUBCASE("the same dump counts once, another one under its path is another host's") {
        write_dump(root, 1, 1, 0x110);
        const Merge merge = merged({first, ordinary(directory / "second", {root}, {})});
        CHECK(merge.counts.repeated_dumps == 1);
        CHECK(merge.scan.counts.dumps == 3);
        CHECK(remark_codes(merge.scan.diagnostics) == "dumps_repeated, dumps_repeated");
        CHECK(holds(message(merge, "dumps_repeated"), "1 dump is in several parts"));
    }
}

TEST_CASE("merge: a damaged dump of another part may be before the first overflow, as in one scan") {
    const TemporaryDirectory directory;
    const std::string a = directory / "a", b = directory / "b";
    write_dump(a, 0, 5, 0x20);
    write_dump(b, 1, 9, 0x20);
    write_file(b + "/rank_2/debug_files/0/Opdebug.Node_OpDebug.57.5." + std::to_string(scan_begin_us), "damaged");
    const std::string told = doubt_of(scanned_report({a, b}, {}));
    CHECK(holds(told, "but 1 overflow dump that cannot be decoded may be earlier: " + b + "/rank_2/"));
    CHECK(holds(told, "(5.000 s earlier)"));
    const auto part = [&](const char* file, const std::string& tree) {
        return write_file(directory / file, part_text({tree}, {}, std::nullopt));
    };
    const Merge partial = merged({part("1", a), part("2", b)});
    const Merge plain = merged({ordinary(directory / "3", {a}, {}), ordinary(directory / "4", {b}, {})});
    CHECK(doubt_of(partial.report) == told);
    CHECK(doubt_of(plain.report) == told);
}
