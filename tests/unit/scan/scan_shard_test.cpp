// Shards of a scan: together they are the scan, and none does what another does.
#include <doctest/doctest.h>

#include <algorithm>

#include <fmt/format.h>

#include "dump_builder.hpp"
#include "dump_tree.hpp"
#include "shard_reports.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

Scanned scan_shard(const std::string& root, std::uint64_t index, std::uint64_t count) {
    ScanOptions options;
    options.shard = ScanShard{index, count};
    return scan_tree({root}, options);
}

void add(const ScanCounts& counts, ScanCounts& sum) {
    sum.dumps += counts.dumps;
    sum.overflowed += counts.overflowed;
    sum.clean += counts.clean;
    sum.failed += counts.failed;
    sum.op_dumps += counts.op_dumps;
    sum.other_files += counts.other_files;
}

/// A folder with so many dumps.
void write_folder(const std::string& folder, unsigned dumps) {
    for (unsigned i = 0; i < dumps; ++i) {
        write_file(fmt::format("{}/Opdebug.Node_OpDebug.{}.5.{}", folder, i, scan_begin_us),
                   build_overflow_dump(ai_core_example()));
    }
}

}  // namespace

TEST_CASE("scan shards: each dump is of exactly one, and the counts add up") {
    const TemporaryDirectory directory;
    const std::string root = directory / "tree";
    write_random_tree(root, 77);
    const Scanned whole = scan_tree({root});
    for (const std::uint64_t count : {1U, 2U, 5U, 40U}) {
        ScanCounts sum;
        std::vector<std::string> files;
        for (std::uint64_t index = 0; index < count; ++index) {
            const Scanned shard = scan_shard(root, index, count);
            add(shard.scan.counts, sum);
            CHECK(shard.scan.tree.dumps == whole.scan.counts.dumps);
            CHECK(shard.scan.tree.digest == whole.scan.tree.digest);
            CHECK((index == 0 || shard.scan.diagnostics.empty() || shard.scan.counts.dumps > 0));
            for (const ScannedDump& dump : shard.dumps) {
                files.push_back(dump.file);
            }
        }
        CHECK(shown(sum) == shown(whole.scan.counts));
        std::sort(files.begin(), files.end());
        std::vector<std::string> expected;
        for (const ScannedDump& dump : whole.dumps) {
            expected.push_back(dump.file);
        }
        CHECK(files == expected);
    }
}

TEST_CASE("scan shards: folders are dealt out by their dumps, the largest first") {
    const TemporaryDirectory directory;
    const unsigned sizes[] = {1, 8, 3, 5, 1};  // 8 | 5 3 | then 1 to the first of equals, 1 to the other
    for (unsigned i = 0; i < 5; ++i) {
        write_folder(directory / fmt::format("f{}", i), sizes[i]);
    }
    const std::string root = directory.path().string();
    CHECK(scan_shard(root, 0, 2).scan.counts.dumps == 9);
    CHECK(scan_shard(root, 1, 2).scan.counts.dumps == 9);
    CHECK(scan_shard(root, 0, 3).scan.counts.dumps == 8);
    CHECK(scan_shard(root, 5, 6).scan.counts.dumps == 0);  // five folders
    CHECK(scan_shard(root, 5, 6).scan.complete);
}

TEST_CASE("scan shards: what is not of one dump is reported by shard 0") {
    const TemporaryDirectory directory;
    write_folder(directory / "a", 1);
    write_folder(directory / "b", 1);
    write_file(directory / "b/Opdebug.Node_OpDebug.bak", "x");
    const std::vector<std::string> paths{directory.path().string(), directory / "absent"};
    for (const std::uint64_t index : {0U, 1U}) {
        ScanOptions options;
        options.shard = ScanShard{index, 2};
        const Scan scan = scan_tree(paths, options).scan;
        CHECK(scan.failures.size() == (index == 0 ? 1 : 0));
        CHECK(remark_codes(scan.diagnostics) == (index == 0 ? "nearly_dump_names" : ""));
        CHECK(scan.counts.other_files == (index == 0 ? 1 : 0));
    }
}

TEST_CASE("scan shards: a shard that there is not is an error") {
    const TemporaryDirectory directory;
    ScanOptions options;
    for (const ScanShard shard : {ScanShard{0, 0}, ScanShard{3, 3}}) {
        options.shard = shard;
        const Result<DumpTree> tree = find_dump_tree({directory.path().string()}, options);
        REQUIRE_FALSE(tree.ok());
        CHECK(tree.error().code == ErrorCode::invalid_argument);
    }
}
