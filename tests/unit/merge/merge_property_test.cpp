// Merging the shards of a scan gives the report of the scan that is not sharded, byte for byte.
#include <doctest/doctest.h>

#include <fmt/format.h>

#include "packed_text.hpp"
#include "random.hpp"
#include "shard_reports.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

ReportRequest random_request(Random& random) {
    ReportRequest request;
    request.all = random.one_in(2);
    request.tensors = random.one_in(2);
    if (random.one_in(2)) {
        request.first = random.below(12);
    }
    request.host = random.one_in(3) ? "node-7" : "";
    return request;
}

/// The shards' reports in any order, some compressed.
std::vector<std::string> write_parts(const TemporaryDirectory& directory, const std::vector<std::string>& paths,
                                     const ReportRequest& request, std::uint64_t count, Random& random) {
    std::vector<std::string> parts;
    for (std::uint64_t i = 0; i < count; ++i) {
        const std::string text = part_text(paths, request, ScanShard{i, count});
        const std::uint64_t packing = random.below(3);
        parts.push_back(write_file(directory / fmt::format("parts/{}", i), packing == 0   ? text
                                                                           : packing == 1 ? gzip_of(text)
                                                                                          : zstd_of(text)));
    }
    for (std::size_t i = parts.size(); i > 1; --i) {
        std::swap(parts[i - 1], parts[static_cast<std::size_t>(random.below(i))]);
    }
    return parts;
}

void check_forms(const ScanReport& report, const std::array<std::string, 5>& expected, const std::string& which) {
    const std::array<std::string, 5> forms = all_forms(report);
    for (std::size_t form = 0; form < forms.size(); ++form) {
        const bool same = forms[form] == expected[form];
        CHECK_MESSAGE(same, which << ", form " << std::string(form_names[form]));
    }
}

}  // namespace

TEST_CASE("merge: the shards of random trees give the report of the whole, in every form") {
    for (std::uint64_t count = 1; count <= 17; ++count) {
        const std::uint64_t seed = 0x5A4D + count;
        const std::string which = fmt::format("seed {}, {} shards", seed, count);
        Random random(seed);
        const TemporaryDirectory directory;
        const std::string root = directory / "tree";
        write_random_tree(root, seed);
        std::vector<std::string> paths{root};
        if (random.one_in(3)) {
            paths.push_back(directory / "absent");
        }
        const ReportRequest request = random_request(random);
        const std::array<std::string, 5> expected = all_forms(scanned_report(paths, request));
        const std::vector<std::string> parts = write_parts(directory, paths, request, count, random);
        check_forms(merged(parts).report, expected, which);
    }
}
