#include "scan/dump_tree.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/scan.hpp>
#include <opdebug/tree.hpp>

#include "api_dump/dump_file.hpp"
#include "tree/api_dump_name.hpp"
#include "tree/dump_name.hpp"
#include "tree/path_ids.hpp"
#include "tree/walk_order.hpp"

namespace opdebug::scan_stage {
namespace {

void take_out_of_dumps(const std::set<std::string>& paths, tree::Walk& found) {
    if (paths.empty()) {
        return;
    }
    for (tree::WalkedFolder& folder : found.folders) {
        const auto is_api_dump = [&](const tree::WalkedDump& dump) {
            return paths.count(folder.prefix + dump.name) != 0;
        };
        folder.dumps.erase(std::remove_if(folder.dumps.begin(), folder.dumps.end(), is_api_dump), folder.dumps.end());
    }
    found.other_files += paths.size();
    found.in_path_order = tree::places_in_path_order(found.folders);
}

/// Where no dump is, a file that cannot be read may be anybody's, unless it lies where their writers put them.
void leave_out_files_of_others(api_dump::FoundDumps& dumps) {
    if (dumps.files.empty()) {
        const auto is_of_others = [](const Error& error) { return !api_dump::is_where_tools_write(error.file); };
        dumps.failures.erase(std::remove_if(dumps.failures.begin(), dumps.failures.end(), is_of_others),
                             dumps.failures.end());
    }
}

/// What the walk found that is a dump of API calls by its content; the first of them where they are not read. One that
/// was given itself is no overflow dump any more, but one of the other files. Nothing: there is none.
std::optional<api_dump::FoundDumps> take_api_dumps(tree::Walk& found, const ScanOptions& options) {
    api_dump::DumpFiles files;
    std::set<std::string> given;
    // First those that were given themselves: they are among the dumps, unless they are API dumps.
    std::stable_partition(found.named_as_api_dumps.begin(), found.named_as_api_dumps.end(),
                          [](const tree::NamedAsApiDump& named) { return named.given; });
    for (const tree::NamedAsApiDump& named : found.named_as_api_dumps) {
        if (options.stop && options.stop()) {
            found.complete = false;
            break;
        }
        if (!named.given && tree::is_packed_part_of_run(file_name_of(named.path))) {
            files.add_packed(named.path);
            continue;
        }
        const bool is_asked = named.given || !files.has_dumps() || reads_api_dumps(options.shard);
        if (is_asked && named.given && files.add_given_if_dump(named.path)) {
            given.insert(named.path);
        } else if (is_asked && !named.given) {
            files.add_if_dump(named.path);
        }
    }
    found.named_as_api_dumps = {};
    take_out_of_dumps(given, found);
    api_dump::FoundDumps dumps = files.take();
    leave_out_files_of_others(dumps);
    return dumps.files.empty() && dumps.failures.empty() ? std::nullopt : std::optional(std::move(dumps));
}

/// Folders with the shard of each. Paths of folders differ, so their order is certain.
std::vector<std::uint64_t> shards_of(const std::vector<tree::WalkedFolder>& folders, std::uint64_t count) {
    std::vector<std::size_t> order(folders.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&folders](std::size_t a, std::size_t b) {
        const std::size_t dumps_a = folders[a].dumps.size(), dumps_b = folders[b].dumps.size();
        return dumps_a != dumps_b ? dumps_a > dumps_b : folders[a].prefix < folders[b].prefix;
    });
    using Load = std::pair<std::uint64_t, std::uint64_t>;  // dumps, shard
    std::priority_queue<Load, std::vector<Load>, std::greater<>> least;
    std::vector<std::uint64_t> shards(folders.size());
    std::uint64_t fresh = 0;  // shards without a folder are not in the queue: there may be very many
    for (const std::size_t folder : order) {
        Load load{0, fresh};
        if (fresh < count) {
            ++fresh;
        } else {
            load = least.top();
            least.pop();
        }
        shards[folder] = load.second;
        load.first += folders[folder].dumps.size();
        least.push(load);
    }
    return shards;
}

/// Leaves one share of the dumps. Folders are dealt out, the largest first, each to the shard that has the fewest dumps
/// so far. Counts of other files, failures and diagnostics stay with shard 0. `shard.index` is below `shard.count`.
void keep_share(tree::Walk& found, const ScanShard& shard) {
    const std::vector<std::uint64_t> shards = shards_of(found.folders, shard.count);
    for (std::size_t i = 0; i < found.folders.size(); ++i) {
        if (shards[i] != shard.index) {
            found.folders[i].dumps = {};
            found.folders[i].operator_files.reset();
        }
    }
    found.in_path_order = tree::places_in_path_order(found.folders);
    if (shard.index != 0) {
        found.op_dumps = 0;
        found.other_files = 0;
        found.failures.clear();
        found.diagnostics.clear();
    }
}

/// Nothing where links to dumps lie in it: they may be of several.
std::optional<std::string> time_folder_of(const tree::WalkedFolder& folder) {
    const bool has_links = std::any_of(folder.dumps.begin(), folder.dumps.end(),
                                       [](const tree::WalkedDump& dump) { return dump.is_link; });
    if (folder.dumps.empty() || has_links) {
        return std::nullopt;
    }
    const tree::WalkedDump& dump = folder.dumps.front();
    return tree::time_folder_of_file(folder.prefix + dump.name, tree::real_path_of(folder, dump));
}

}  // namespace

bool reads_api_dumps(const std::optional<ScanShard>& shard) {
    return !shard || shard->index == 0;
}

void TreeDigest::add_up_to(std::size_t count) {
    for (; added_ < count; ++added_) {
        const tree::DumpPlace place = found_.in_path_order[added_];
        const tree::WalkedFolder& folder = found_.folders[place.folder];
        digest_.add(folder.prefix);
        digest_.add(folder.dumps[place.dump].name);
    }
}

ScannedTree TreeDigest::whole() {
    add_up_to(found_.in_path_order.size());
    return {added_, digest_.text()};
}

bool asks_for_first_dumps(const ScanOptions& options) noexcept {
    return options.locate_overflowed && options.locate.task_map && !options.locate.utc_offset_minutes;
}

void FirstDumps::note(const std::string& time_folder, std::string_view name) {
    const std::optional<DumpName> dump = tree::parse_name_of_dump(name);
    if (dump && dump->timestamp_us) {
        FirstDump& first = by_folder_[time_folder];
        first = std::min(first.value_or(*dump->timestamp_us), *dump->timestamp_us);
    }
}

FirstDump FirstDumps::of(const std::string& time_folder) const {
    const auto found = by_folder_.find(time_folder);
    return found != by_folder_.end() ? found->second : std::nullopt;
}

std::vector<FirstDump> first_dumps_of(const std::vector<tree::WalkedFolder>& folders) {
    FirstDumps firsts;
    std::vector<std::optional<std::string>> time_folders;
    time_folders.reserve(folders.size());
    for (const tree::WalkedFolder& folder : folders) {
        time_folders.push_back(time_folder_of(folder));
        for (const tree::WalkedDump& dump : folder.dumps) {
            if (time_folders.back()) {
                firsts.note(*time_folders.back(), dump.name);
            }
        }
    }
    std::vector<FirstDump> of_folders;
    of_folders.reserve(folders.size());
    for (const std::optional<std::string>& time_folder : time_folders) {
        of_folders.push_back(time_folder ? firsts.of(*time_folder) : std::nullopt);
    }
    return of_folders;
}

Result<DumpTree> find_dump_tree(const std::vector<std::string>& paths, const ScanOptions& options,
                                std::function<void(const tree::ListedFolder&)> listed) {
    if (options.shard && options.shard->index >= options.shard->count) {
        return Error{
            ErrorCode::invalid_argument,
            fmt::format("there is no shard {} of {}: shards count from 0", options.shard->index, options.shard->count),
            "", std::nullopt};
    }
    ProgressTeller teller(options.progress);
    tree::WalkOptions walk_options;
    walk_options.stop = options.stop;
    walk_options.progress = [&teller](std::uint64_t dumps) { teller.now_and_then({dumps, 0, true}); };
    walk_options.limits = options.decode.limits;
    walk_options.listed = std::move(listed);
    walk_options.threads = threads_of(options);
    teller.now({0, 0, true});
    Result<tree::Walk> found = tree::walk(paths, walk_options);
    if (!found) {
        return std::move(found.error());
    }
    auto api = options.api_dumps ? take_api_dumps(*found, options) : std::nullopt;
    leave_out_converted_copies(*found, options);
    std::optional<ScannedTree> whole;
    std::vector<FirstDump> first_dumps;
    if (options.shard) {
        whole = TreeDigest(*found).whole();
        first_dumps = first_dumps_of(found->folders);
        keep_share(*found, *options.shard);
    }
    return DumpTree(std::make_shared<const DumpTree::Contents>(DumpTree::Contents{
        paths, std::move(*found), options.shard, std::move(whole), std::move(first_dumps), std::move(api)}));
}

}  // namespace opdebug::scan_stage

namespace opdebug {
inline namespace v0 {

DumpTree::DumpTree(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

Result<DumpTree> find_dump_tree(const std::vector<std::string>& paths, const ScanOptions& options) {
    return scan_stage::find_dump_tree(paths, options, {});
}

std::vector<std::string> files_of(const DumpTree& tree) {
    const tree::Walk& found = tree.contents().found;
    std::vector<std::string> files;
    files.reserve(found.in_path_order.size());
    for (const tree::DumpPlace& place : found.in_path_order) {
        const tree::WalkedFolder& folder = found.folders[place.folder];
        files.push_back(folder.prefix + folder.dumps[place.dump].name);
    }
    return files;
}

}  // namespace v0
}  // namespace opdebug
