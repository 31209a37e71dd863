// Parts with damage inside: what is used is sound, and nothing is called complete that is not.
#include <doctest/doctest.h>

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "shard_reports.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

constexpr std::uint64_t kShards = 4;

/// A tree, the report of its scan, and the parts of its shards.
struct Shards {
    TemporaryDirectory directory;
    std::string root = directory / "tree";
    std::vector<std::string> paths{root};
    std::vector<std::string> parts, texts;

    explicit Shards(std::vector<std::string> more = {}, const ReportRequest& request = {}) {
        write_random_tree(root, 815);
        paths.insert(paths.end(), more.begin(), more.end());
        for (std::uint64_t i = 0; i < kShards; ++i) {
            texts.push_back(part_text(paths, request, ScanShard{i, kShards}));
            parts.push_back(write_file(directory / fmt::format("part-{}", i), texts.back()));
        }
    }
};

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += line + "\n";
    }
    return text;
}

/// The number of the last line, from 0, that begins so.
std::size_t last_line(const std::vector<std::string>& lines, std::string_view begin) {
    std::size_t found = lines.size();
    for (std::size_t i = 0; i < lines.size(); ++i) {
        found = lines[i].compare(0, begin.size(), begin) == 0 ? i : found;
    }
    REQUIRE(found != lines.size());
    return found;
}

constexpr std::string_view kDump = "{\"type\":\"dump\"", kDocument = "{\"schema\":\"opdebug.record/1\"";

bool tells(const Merge& merge, std::string_view code, std::string_view part) {
    return message_of(merge.scan.diagnostics, code).find(part) != std::string::npos;
}

bool is_sound(const Merge& merge) {
    const std::vector<std::string> lines = lines_of(written(merge.report, &ScanReport::write_json_lines));
    return std::all_of(lines.begin(), lines.end(),
                       [](const std::string& line) { return ordered_json::accept(line); }) &&
           ordered_json::accept(written(merge.report, &ScanReport::write_json));
}

/// Merges all parts of which one has another text.
Merge merged_with(const Shards& shards, std::size_t number, const std::string& text) {
    write_file(shards.parts[number], text);
    return merged(shards.parts);
}

}  // namespace

TEST_CASE("merge: a part that was cut twice gives its dumps once") {
    const Shards shards;
    const std::string& text = shards.texts[1];
    const std::string less = write_file(shards.directory / "less", std::string_view(text).substr(0, text.size() / 4));
    const std::string more = write_file(shards.directory / "more", std::string_view(text).substr(0, text.size() / 2));
    const Merge one = merged({shards.parts[0], more});
    const Merge both = merged({shards.parts[0], less, more});
    CHECK(both.scan.counts.dumps == one.scan.counts.dumps);
    CHECK(message_of(both.scan.diagnostics, "dumps_repeated").empty());
    CHECK(both.counts.cut == 1);
}

TEST_CASE("merge: a damaged line is not copied into the report") {
    const Shards shards;
    for (const std::string_view kind : {kDocument, kDump}) {
        for (const char* damage : {"\"", "\xFF", "\x01", "\\x"}) {
            std::vector<std::string> lines = lines_of(shards.texts[1]);
            const std::size_t number = last_line(lines, kind);
            lines[number].insert(lines[number].rfind("\":\"") + 3, damage);  // begins the last text of the line
            const Merge merge = merged_with(shards, 1, text_of(lines));
            CHECK(tells(merge, "part_cut", fmt::format(" line {} is damaged", number + 1)));
            CHECK(merge.counts.cut == 1);
            CHECK_FALSE(merge.scan.complete);
            CHECK(is_sound(merge));
        }
    }
}

TEST_CASE("merge: whatever byte of a part is damaged, the report is JSON") {
    const Shards shards;
    const std::string& text = shards.texts[2];
    for (std::size_t place = text.find('\n') + 1; place < text.size(); place += 211) {
        for (const unsigned bit : {0x01U, 0x20U, 0x80U}) {
            std::string damaged = text;
            damaged[place] = static_cast<char>(static_cast<unsigned char>(damaged[place]) ^ bit);
            const bool sound = is_sound(merged_with(shards, 2, damaged));
            CHECK_MESSAGE(sound, "byte " << place << ", bit " << bit);
        }
    }
}

TEST_CASE("merge: a damaged part does not stand for the whole one next to it") {
    const Shards shards;
    std::vector<std::string> lines = lines_of(shards.texts[1]);
    lines[last_line(lines, kDocument)].back() = '!';
    const std::string damaged = write_file(shards.directory / "damaged", text_of(lines));
    const Merge merge = merged({shards.parts[0], damaged, shards.parts[1], shards.parts[2], shards.parts[3]});
    CHECK(merge.scan.complete);
    CHECK(merge.counts.repeated == 1);
    CHECK(tells(merge, "part_repeated", damaged + " is of the same scan or shard as " + shards.parts[1]));
}

TEST_CASE("merge: dumps that the last line counts and that are not there are missed") {
    const Shards shards;
    std::vector<std::string> lines = lines_of(shards.texts[1]);
    const std::size_t dumps = lines.size() - 2;
    lines.erase(lines.end() - 2);
    const Merge merge = merged_with(shards, 1, text_of(lines));
    CHECK(merge.counts.cut == 1);
    CHECK_FALSE(merge.scan.complete);
    CHECK(tells(merge, "part_cut", fmt::format("its last line counts {}", dumps)));
}

TEST_CASE("merge: reports one after the other in a file are reported") {
    const Shards shards;
    const Merge merge = merged_with(shards, 0, shards.texts[0] + shards.texts[1]);
    CHECK_FALSE(merge.scan.complete);
    const std::size_t lines = lines_of(shards.texts[0]).size();
    CHECK(tells(merge, "part_cut", fmt::format("line {} is damaged or of another report", lines)));
    CHECK(tells(merge, "part_cut", "one report in each file"));
}

TEST_CASE("merge: lines that end in CR and LF are the same lines") {
    const Shards shards;
    std::string text;
    for (const std::string& line : lines_of(shards.texts[1])) {
        text += line + "\r\n";
    }
    const Merge merge = merged_with(shards, 1, text);
    CHECK((all_forms(merge.report) == all_forms(scanned_report(shards.paths, {}))));
}
