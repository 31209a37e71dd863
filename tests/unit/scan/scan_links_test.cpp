// Dumps that links lead to, and copies of dumps that were converted.
#include <algorithm>
#include <filesystem>

#include <doctest/doctest.h>

#include <opdebug/scan.hpp>

#include "dump_builder.hpp"
#include "dump_tree.hpp"
#include "official_text.hpp"
#include "scan_items.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using namespace opdebug;

namespace {

constexpr std::uint64_t links_t0 = scan_begin_us;

std::string dump_at(std::uint64_t time) {
    return "Opdebug.Node_OpDebug.1.5." + std::to_string(time);
}

void write_dump(const std::string& folder, std::uint64_t time) {
    write_file(folder + "/" + dump_at(time), build_overflow_dump(ai_core_example(32)));
}

std::vector<ScanItem> items_in(const std::vector<std::string>& paths) {
    std::vector<ScanItem> items;
    for (const ScannedDump& dump : scan_tree(paths).dumps) {
        items.push_back(scan_item_of(dump));
    }
    std::sort(items.begin(), items.end(), comes_before);
    return items;
}

}  // namespace

TEST_CASE("scan: the first overflow is that of the earliest step, also where links are given") {
    const TemporaryDirectory directory;
    const std::string root = directory.path().string();
    write_dump(root + "/job/rank_0/net/0/1", links_t0);
    write_dump(root + "/job/rank_1/net/0/50", links_t0 - 3100 * second_us);  // its clock is slow
    for (const std::string rank : {"0", "1"}) {
        fs::create_directory_symlink("job/rank_" + rank, root + "/l" + rank);
    }
    const auto first_of = [&](const std::vector<std::string>& names) {
        std::vector<std::string> paths;
        for (const std::string& name : names) {
            paths.push_back(root + "/" + name);
        }
        const ScanItem first = items_in(paths).front();
        CHECK(first.path_ids.rank == std::optional<std::uint64_t>(0));
        CHECK(first.path_ids.data_index == std::optional<std::uint64_t>(1));
        return first.file.substr(root.size() + 1);
    };
    CHECK(first_of({"job"}) == "job/rank_0/net/0/1/" + dump_at(links_t0));
    CHECK(first_of({"job", "l0"}) == "job/rank_0/net/0/1/" + dump_at(links_t0));
    CHECK(first_of({"l0", "job"}) == "job/rank_0/net/0/1/" + dump_at(links_t0));
    CHECK(first_of({"l0", "l1"}) == "l0/net/0/1/" + dump_at(links_t0));
    CHECK(first_of({"l1/net/0/50/" + dump_at(links_t0 - 3100 * second_us), "l0/net/0/1/" + dump_at(links_t0)}) ==
          "l0/net/0/1/" + dump_at(links_t0));
}

TEST_CASE("scan: dumps after links lie in places of their own where the trees are others") {
    const TemporaryDirectory directory;
    const std::string root = directory.path().string();
    for (const std::string node : {"/nodeA", "/nodeB"}) {
        const std::uint64_t time = node == "/nodeA" ? links_t0 : links_t0 + second_us / 10;
        write_dump(root + node + "/20260304180000/0/net/1/3", time);
        write_dump(root + node + "/20260304180000/0/net/1/4", time + 9 * second_us);
        fs::create_directory_symlink("20260304180000", root + node + "/latest");
    }
    const std::vector<ScanItem> items = items_in({root + "/nodeA/latest", root + "/nodeB/latest"});
    REQUIRE(items.size() == 4);
    CHECK(items[0].path_ids.time == std::optional<std::string>("20260304180000"));
    CHECK(chains_of(items).count == 4);  // two steps of two trees
    const std::string doubt = message_of(overview_of(items).diagnostics, "first_uncertain");
    CHECK(contains(doubt, "1 other overflow dump may be earlier: " + items[1].file));
}

namespace {

const std::string kConvertedDump = "Opdebug.Node_OpDebug.1.5.1732082705016774";

std::string output(const std::string& folder, int index) {
    return folder + "/" + kConvertedDump + ".output." + std::to_string(index) + ".json";
}

}  // namespace

TEST_CASE("converted copies: by the name of their binary in another folder, unless their paths have other ids") {
    const auto counts = [](const std::string& binary, const std::string& converted) {
        const TemporaryDirectory directory;
        write_file(directory / (binary + "/" + kConvertedDump), build_overflow_dump(ai_core_example(32)));
        write_file(directory / output(converted, 0), official_ai_core_text(32));
        return shown(scan_tree({directory.path().string()}).scan.counts);
    };
    CHECK(counts("binary", "json") == "1 1 0 0 0 1");
    CHECK(counts("rank_0/net/0/1", "json") == "1 1 0 0 0 1");
    CHECK(counts("rank_0/net/0/1", "rank_1/net/0/1") == "2 2 0 0 0 0");
}

TEST_CASE(
    "converted outputs: one that lacks those before it is damaged in a folder, and read alone when it was given") {
    const TemporaryDirectory directory;
    const std::string second = write_file(directory / output("a", 1), official_ai_core_text(0));
    CHECK(shown(scan_tree({directory / "a"}).scan.counts) == "1 0 0 1 0 0");
    CHECK(shown(scan_tree({directory / "a", second}).scan.counts) == "1 0 0 1 0 0");
    CHECK(shown(scan_tree({second}).scan.counts) == "1 0 1 0 0 0");
    // As decode states about it, also where the first is next to it.
    const std::string first = write_file(directory / output("a", 0), official_ai_core_text(32));
    CHECK(shown(scan_tree({second}).scan.counts) == "1 0 1 0 0 0");
    CHECK(decode_file(second)->overflow() == std::optional<bool>(false));
    // Both that were given are one dump; all outputs but the first of one are other files.
    CHECK(shown(scan_tree({second, first}).scan.counts) == "1 1 0 0 0 1");
}
