#include "merge/part_set.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

namespace opdebug::merge {
namespace {

/// A part's place among the others: its first shard, behind all shards where it is none.
std::uint64_t place_of(const Part& part) {
    const auto& shard = part.head.parts.front().shard;
    return shard ? shard->index : std::numeric_limits<std::uint64_t>::max();
}

/// The shards of one scan: of the same paths, in the same number.
using ScanOfShards = std::pair<std::vector<std::string>, std::uint64_t>;

struct ShardsThere {
    std::set<std::uint64_t> indexes;
    std::set<std::string> digests;
};

void tell_shards(const ScanOfShards& scan, const ShardsThere& there, std::uint64_t& missing,
                 std::vector<Diagnostic>& diagnostics) {
    const std::string paths = fmt::format("{}", fmt::join(scan.first, ", "));
    if (there.digests.size() > 1) {
        diagnostics.push_back(
            {Severity::error, "trees_differ",
             fmt::format(
                 "the shards of {} found {} different trees: they were dealt out differently, so dumps may be "
                 "missing. Shards need one file system that all see, and a tree that nobody writes; on disks of "
                 "their own hosts scan without --shard",
                 paths, there.digests.size())});
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
        {Severity::error, "part_missing",
         fmt::format("{} of the {} shards of {} {} not there: {}{}; scan {} again with --shard I/{}, and merge again",
                     absent, scan.second, paths, absent == 1 ? "is" : "are", show_ranges(indexes),
                     absent > kNamed ? ", ..." : "", absent == 1 ? "it" : "them", scan.second)});
}

}  // namespace

std::string show_ranges(const std::vector<std::uint64_t>& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t last = i;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) {
            ++last;
        }
        text += text.empty() ? "" : ", ";
        text += last == i ? fmt::to_string(numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
        i = last + 1;
    }
    return text;
}

void leave_out_repeated(std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics) {
    std::vector<std::shared_ptr<Part>> by_worth = parts;
    std::stable_sort(by_worth.begin(), by_worth.end(), [](const auto& a, const auto& b) {
        const auto worth = [](const Part& part) {
            return std::make_pair(part.end.has_value(), part.head.parts.size());
        };
        return worth(*a) > worth(*b);
    });
    std::map<std::string, const Part*> seen;
    std::set<const Part*> repeated;
    for (const auto& part : by_worth) {
        const Part* other = nullptr;
        bool is_new = false;
        for (const report::PartName& name : part->head.parts) {
            const auto [known, added] = seen.emplace(name.id, part.get());
            is_new = is_new || added;
            other = added ? other : known->second;
        }
        if (!is_new) {
            repeated.insert(part.get());
            diagnostics.push_back({Severity::info, "part_repeated",
                                   fmt::format("{} holds what {} holds: it is counted once", part->name, other->name)});
        }
    }
    parts.erase(std::remove_if(parts.begin(), parts.end(),
                               [&repeated](const auto& part) { return repeated.count(part.get()) != 0; }),
                parts.end());
}

void put_in_order(std::vector<std::shared_ptr<Part>>& parts) {
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return place_of(*a) < place_of(*b); });
}

std::uint64_t tell_missing(const std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics) {
    std::map<ScanOfShards, ShardsThere> scans;
    for (const auto& part : parts) {
        for (const report::PartName& name : part->head.parts) {
            if (name.shard) {
                ShardsThere& there = scans[{name.inputs, name.shard->count}];
                there.indexes.insert(name.shard->index);
                there.digests.insert(name.tree.digest);
            }
        }
    }
    std::uint64_t missing = 0;
    for (const auto& [scan, there] : scans) {
        tell_shards(scan, there, missing, diagnostics);
    }
    return missing;
}

}  // namespace opdebug::merge
