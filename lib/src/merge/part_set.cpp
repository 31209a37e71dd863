#include "merge/part_set.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "merge/run.hpp"

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
         fmt::format("{} of the {} of {} {} not there: {}{}; scan {} again with --shard I/{}, and merge again", absent,
                     bytes::counted(scan.second, "shard"), paths, absent == 1 ? "is" : "are", show_ranges(indexes),
                     absent > kNamed ? ", ..." : "", absent == 1 ? "it" : "them", scan.second)});
}

bool is_whole(const Part& part) {
    return part.end && (!part.checked || part.checked->fault.empty());
}

/// The part that has most of a scan so far.
struct Held {
    const Part* part = nullptr;
    std::optional<std::uint64_t> extent;  ///< as extent_of()
    std::uint64_t holders = 0;
};

/// Whether all that the part has of a scan is there.
bool holds(const Held& held, const Part& part, const report::PartName& name) {
    if (!held.extent) {
        return true;
    }
    const std::optional<std::uint64_t> extent = extent_of(part, name);
    const bool is_known = is_whole(part) || part.head.parts.size() == 1;
    return extent && is_known && *extent <= *held.extent;
}

void add(const Part& part, const report::PartName& name, Held& held) {
    const std::optional<std::uint64_t> extent = extent_of(part, name);
    if (held.part == nullptr || (held.extent && (!extent || *extent > *held.extent))) {
        held.part = &part;
        held.extent = extent;
    }
    ++held.holders;
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

void check_repeated(const std::vector<std::shared_ptr<Part>>& parts) {
    std::map<std::string, std::uint64_t> holders;
    for (const auto& part : parts) {
        for (const report::PartName& name : part->head.parts) {
            ++holders[name.id];
        }
    }
    for (const auto& part : parts) {
        const std::vector<report::PartName>& names = part->head.parts;
        if (std::any_of(names.begin(), names.end(), [&](const auto& name) { return holders[name.id] > 1; })) {
            part->checked = checked(*part);
        }
    }
}

std::optional<std::uint64_t> extent_of(const Part& part, const report::PartName& name) {
    if (is_whole(part)) {
        return name.cut;
    }
    // Of several scans nobody knows how many dumps of each are there.
    return part.head.parts.size() == 1 && part.checked ? part.checked->dumps : 0;
}

void leave_out_repeated(std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics) {
    std::vector<std::shared_ptr<Part>> by_worth = parts;
    std::stable_sort(by_worth.begin(), by_worth.end(), [](const auto& a, const auto& b) {
        const auto worth = [](const Part& part) {
            return std::make_tuple(is_whole(part), part.head.parts.size(), part.checked ? part.checked->dumps : 0);
        };
        return worth(*a) > worth(*b);
    });
    std::map<std::string, Held> held;
    std::set<const Part*> repeated;
    for (const auto& part : by_worth) {
        const Part* other = nullptr;
        for (const report::PartName& name : part->head.parts) {
            const auto there = held.find(name.id);
            other = there != held.end() && holds(there->second, *part, name) ? there->second.part : nullptr;
            if (other == nullptr) {
                break;
            }
        }
        if (other != nullptr) {
            repeated.insert(part.get());
            const std::string what = part->name == other->name
                                         ? part->name + " is given twice"
                                         : fmt::format("{} holds what {} holds", part->name, other->name);
            diagnostics.push_back({Severity::info, "part_repeated", what + ": it is counted once"});
            continue;
        }
        for (const report::PartName& name : part->head.parts) {
            add(*part, name, held[name.id]);
        }
    }
    parts.erase(std::remove_if(parts.begin(), parts.end(),
                               [&repeated](const auto& part) { return repeated.count(part.get()) != 0; }),
                parts.end());
    for (const auto& part : parts) {
        const std::vector<report::PartName>& names = part->head.parts;
        part->is_completed = std::any_of(names.begin(), names.end(), [&](const report::PartName& name) {
            return extent_of(*part, name) && held[name.id].holders > 1;
        });
    }
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
