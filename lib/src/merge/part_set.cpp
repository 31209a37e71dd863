#include "merge/part.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"

namespace opdebug::merge {
namespace {

/// Reads parts that hold scans that others hold, too, so that a damaged one does not count as a whole one.
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

bool has_cut(const Part& part) {
    const std::vector<report::PartName>& names = part.head.parts;
    return std::any_of(names.begin(), names.end(), [&part](const auto& name) { return is_cut(part, name); });
}

/// Leaves out the parts whose scans are all in other parts, undamaged.
void leave_out_repeated(std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics) {
    std::vector<std::shared_ptr<Part>> by_worth = parts;
    std::stable_sort(by_worth.begin(), by_worth.end(), [](const auto& a, const auto& b) {
        const auto worth = [](const Part& part) { return std::pair(!has_cut(part), part.head.parts.size()); };
        return worth(*a) > worth(*b);
    });
    std::map<std::string, const Part*> whole;  // by the id of a scan
    std::map<std::string, std::uint64_t> holders;
    std::set<const Part*> repeated;
    for (const auto& part : by_worth) {
        const Part* other = nullptr;
        for (const report::PartName& name : part->head.parts) {
            const auto there = whole.find(name.id);
            other = there != whole.end() ? there->second : nullptr;
            if (other == nullptr) {
                break;
            }
        }
        if (other != nullptr) {
            repeated.insert(part.get());
            diagnostics.push_back(
                remarks::diagnose(part->name == other->name ? "part_repeated.given_twice" : "part_repeated",
                                  {{"part", part->name}, {"other", other->name}}));
            continue;
        }
        for (const report::PartName& name : part->head.parts) {
            ++holders[name.id];
            if (!is_cut(*part, name)) {
                whole.emplace(name.id, part.get());
            }
        }
    }
    parts.erase(std::remove_if(parts.begin(), parts.end(),
                               [&repeated](const auto& part) { return repeated.count(part.get()) != 0; }),
                parts.end());
    for (const auto& part : parts) {
        const std::vector<report::PartName>& names = part->head.parts;
        part->is_completed = std::any_of(names.begin(), names.end(), [&](const report::PartName& name) {
            return is_cut(*part, name) && holders[name.id] > 1;
        });
    }
}

/// Position of a part: its first shard; parts that are no shards come last.
std::uint64_t order_of(const Part& part) {
    const auto& shard = part.head.parts.front().shard;
    return shard ? shard->index : std::numeric_limits<std::uint64_t>::max();
}

/// In the order of their shards; parts that are no shards stay in the order in which they were given.
void put_in_order(std::vector<std::shared_ptr<Part>>& parts) {
    std::stable_sort(parts.begin(), parts.end(),
                     [](const auto& a, const auto& b) { return order_of(*a) < order_of(*b); });
}

/// How many parts stay open: more than these bring nothing, and half of what the process may have open is for others:
/// the report, temporary files, more parts.
std::size_t open_files() {
    constexpr std::size_t kEnough = 100;
    struct rlimit limit {};
    const bool is_known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
    return is_known ? static_cast<std::size_t>(std::min<std::uint64_t>(limit.rlim_cur / 2, kEnough)) : 0;
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
    check_repeated(opened.parts);
    leave_out_repeated(opened.parts, opened.diagnostics);
    put_in_order(opened.parts);
    opened.counts.given = inputs.size();
    opened.counts.merged = opened.parts.size();
    opened.counts.repeated = usable - opened.parts.size();
    opened.counts.unusable = inputs.size() - usable;
    const std::size_t open = std::min(opened.parts.size(), open_files());
    for (std::size_t i = 0; i < open; ++i) {
        opened.parts[i]->text.stay_open();
    }
    return opened;
}

namespace {

/// "0, 2, 5-7": ascending numbers.
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
    diagnostics.push_back(remarks::diagnose("part_missing", {{"absent", absent},
                                                             {"count", scan.second},
                                                             {"paths", paths},
                                                             {"shards", show_ranges(indexes)},
                                                             {"dots", absent > kNamed ? ", ..." : ""}}));
}

}  // namespace

std::uint64_t report_missing(const std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics) {
    std::map<ShardedScan, ShardsThere> scans;
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
        for (const report::PartName& name : part->head.parts) {
            if (name.shard && name.shard->count > 1) {
                Shards& shards = trees[{{name.inputs, name.shard->count}, name.tree.digest}];
                shards.indexes.insert(name.shard->index);
                shards.hosts.insert(name.host);
            } else {
                of_own_trees.insert(name.host);
            }
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
