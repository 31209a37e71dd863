#include "merge/part.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::merge {
namespace {

/// Of several reports of one scan the one with the most dumps stays. They are read for that: a damaged one may lack
/// dumps.
void leave_out_repeated(std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics) {
    std::map<std::string, std::vector<std::shared_ptr<Part>>> by_id;
    for (const auto& part : parts) {
        by_id[part->head.name.id].push_back(part);
    }
    std::set<std::shared_ptr<Part>> repeated;
    for (const auto& [id, of_scan] : by_id) {
        if (of_scan.size() == 1) {
            continue;
        }
        for (const auto& part : of_scan) {
            part->checked = checked(*part);
        }
        const auto best = *std::max_element(of_scan.begin(), of_scan.end(), [](const auto& a, const auto& b) {
            const auto worth = [](const Part& part) { return std::pair(!part.is_cut(), part.checked->dumps); };
            return worth(*a) < worth(*b);
        });
        for (const auto& part : of_scan) {
            if (part != best) {
                repeated.insert(part);
                diagnostics.push_back(
                    remarks::diagnose("part_repeated", {{"part", part->name}, {"other", best->name}}));
            }
        }
    }
    std::erase_if(parts, [&repeated](const auto& part) { return repeated.count(part) != 0; });
}

/// Position of a part: its shard; parts that are no shards come last.
std::uint64_t order_of(const Part& part) {
    const auto& shard = part.head.name.shard;
    return shard ? shard->index : std::numeric_limits<std::uint64_t>::max();
}

/// In the order of their shards; parts that are no shards stay in the order in which they were given.
void put_in_order(std::vector<std::shared_ptr<Part>>& parts) {
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return order_of(*a) < order_of(*b); });
}

}  // namespace

Result<OpenedParts> open_parts(const std::vector<MergeInput>& inputs, const std::string& temporary_folder) {
    OpenedParts opened;
    const auto unpacked = std::make_shared<report::DocumentStore>(temporary_folder, 0);
    for (const MergeInput& input : inputs) {
        Result<Part> part = open_part(input, unpacked);
        if (part) {
            opened.overflows.extract(*part);
            opened.parts.push_back(std::make_shared<Part>(std::move(*part)));
        } else if (part.error().code == ErrorCode::write_failed) {
            return std::move(part.error());
        } else {
            opened.diagnostics.push_back(
                remarks::diagnose("part_unusable", {{"error", remarks::text_of(part.error())}}));
            if (!opened.unusable) {
                opened.unusable = part.error();
            }
        }
    }
    const std::size_t usable = opened.parts.size();
    leave_out_repeated(opened.parts, opened.diagnostics);
    put_in_order(opened.parts);
    opened.counts.given = inputs.size();
    opened.counts.merged = opened.parts.size();
    opened.counts.repeated = usable - opened.parts.size();
    opened.counts.unusable = inputs.size() - usable;
    return opened;
}

namespace {

/// The scan that shards are of: its paths, and their number.
using ShardedScan = std::pair<std::vector<std::string>, std::uint64_t>;

struct ShardsThere {
    std::set<std::uint64_t> indexes;
    std::set<std::string> digests;
};

void report_shards(const ShardedScan& scan, const ShardsThere& there, std::uint64_t& missing,
                   std::vector<Diagnostic>& diagnostics) {
    const std::string paths = fmt::format("{}", fmt::join(scan.first, ", "));
    if (there.digests.size() > 1) {
        diagnostics.push_back(remarks::diagnose("trees_differ", {{"paths", paths}, {"count", there.digests.size()}}));
    }
    const std::uint64_t absent = scan.second - there.indexes.size();
    if (absent == 0) {
        return;
    }
    missing += absent;
    constexpr std::size_t kNamed = 1000;
    std::vector<std::uint64_t> indexes;
    for (std::uint64_t i = 0; i < scan.second && indexes.size() < std::min<std::uint64_t>(absent, kNamed); ++i) {
        if (there.indexes.count(i) == 0) {
            indexes.push_back(i);
        }
    }
    diagnostics.push_back(
        remarks::diagnose("part_missing", {{"absent", absent},
                                           {"count", scan.second},
                                           {"paths", paths},
                                           {"shards", report::number_ranges(indexes, ", ", indexes.size())},
                                           {"dots", absent > kNamed ? ", ..." : ""}}));
}

}  // namespace

std::uint64_t report_missing(const std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics) {
    std::map<ShardedScan, ShardsThere> scans;
    for (const auto& part : parts) {
        const report::PartName& name = part->head.name;
        if (name.shard) {
            ShardsThere& there = scans[{name.inputs, name.shard->count}];
            there.indexes.insert(name.shard->index);
            there.digests.insert(name.tree.digest);
        }
    }
    std::uint64_t missing = 0;
    for (const auto& [scan, there] : scans) {
        report_shards(scan, there, missing, diagnostics);
    }
    return missing;
}

std::set<std::string, std::less<>> sharing_hosts(const std::vector<std::shared_ptr<Part>>& parts) {
    struct Shards {
        std::set<std::uint64_t> indexes;
        std::set<std::string> hosts;
    };
    std::map<std::pair<ShardedScan, std::string>, Shards> trees;  // by scan and digest: equal paths may be of two disks
    std::set<std::string, std::less<>> of_own_trees, sharing;
    for (const auto& part : parts) {
        const report::PartName& name = part->head.name;
        if (name.shard && name.shard->count > 1) {
            Shards& shards = trees[{{name.inputs, name.shard->count}, name.tree.digest}];
            shards.indexes.insert(name.shard->index);
            shards.hosts.insert(name.host);
        } else {
            of_own_trees.insert(name.host);
        }
    }
    for (const auto& [tree, shards] : trees) {
        if (shards.hosts.size() > 1) {
            sharing.insert(shards.hosts.begin(), shards.hosts.end());
        } else if (shards.indexes.size() == tree.first.second) {
            of_own_trees.insert(shards.hosts.begin(), shards.hosts.end());
        }
    }
    std::erase_if(sharing, [&of_own_trees](const std::string& host) { return of_own_trees.count(host) != 0; });
    return sharing;
}

}  // namespace opdebug::merge
