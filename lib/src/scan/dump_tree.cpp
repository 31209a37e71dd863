#include "scan/dump_tree.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/scan.hpp>
#include <opdebug/tree.hpp>

#include "api_dump/dump_files.hpp"
#include "bytes/digest.hpp"
#include "dump/converted.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"
#include "tree/path_ids.hpp"
#include "tree/walk.hpp"

namespace opdebug::scan_stage {
namespace {

void remove_from_dumps(const std::set<std::string>& paths, tree::Walk& found) {
    if (paths.empty()) {
        return;
    }
    for (tree::WalkedFolder& folder : found.folders) {
        std::erase_if(folder.dumps,
                      [&](const tree::WalkedDump& dump) { return paths.count(folder.prefix + dump.name) != 0; });
    }
    found.other_files += paths.size();
    found.in_path_order = tree::dumps_in_path_order(found.folders);
}

/// Without any API dump, an unreadable file need not be one, unless it is in a folder of the tools that write them.
void drop_failures_of_others(api_dump::DumpList& dumps) {
    if (dumps.files.empty()) {
        const auto is_of_others = [](const Error& error) { return !api_dump::is_where_tools_write(error.file); };
        std::erase_if(dumps.failures, is_of_others);
    }
}

/// The files that are dumps of API calls by their content; only the first of them in a shard that does not read them.
/// An input of the user is then no overflow dump, but one of the other files. Nothing: there is none.
std::optional<api_dump::DumpList> find_api_dumps(tree::Walk& found, const ScanOptions& options) {
    api_dump::DumpFinder files;
    std::set<std::string> given;
    // First the inputs of the user: they are among the dumps, unless they are API dumps.
    std::stable_partition(found.named_as_api_dumps.begin(), found.named_as_api_dumps.end(),
                          [](const tree::NamedAsApiDump& named) { return named.given; });
    for (const tree::NamedAsApiDump& named : found.named_as_api_dumps) {
        if (options.stop && options.stop()) {
            found.complete = false;
            break;
        }
        if (named.given && files.add_if_dump(named.path, true)) {
            given.insert(named.path);
        } else if (!named.given && (!files.has_dumps() || reads_api_dumps(options.shard))) {
            files.add_walked(named);
        }
    }
    found.named_as_api_dumps = {};
    remove_from_dumps(given, found);
    api_dump::DumpList dumps = files.take();
    drop_failures_of_others(dumps);
    return dumps.files.empty() && dumps.failures.empty() ? std::nullopt : std::optional(std::move(dumps));
}

/// Whether each id in the path of the copy is that of the dump.
bool path_ids_agree(const PathIds& copy, const PathIds& dump) {
    const auto agrees = [](const auto& stated, const auto& other) { return !stated || stated == other; };
    return agrees(copy.time, dump.time) && agrees(copy.device_id, dump.device_id) &&
           agrees(copy.model_name, dump.model_name) && agrees(copy.model_id, dump.model_id) &&
           agrees(copy.data_index, dump.data_index) && agrees(copy.rank, dump.rank);
}

/// The units of the records with their status words; sorted.
std::vector<std::pair<Unit, std::vector<std::uint64_t>>> statuses_of(const Dump& dump) {
    std::vector<std::pair<Unit, std::vector<std::uint64_t>>> statuses;
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            statuses.emplace_back(record.unit, record.status.words);
        }
    }
    std::sort(statuses.begin(), statuses.end());
    return statuses;
}

/// Whether the binary has all records of the converted dump. It may have more: converters leave some out.
bool has_records_of(const Result<Dump>& binary, const Result<Dump>& converted) {
    if (!binary || !converted) {
        return false;
    }
    const auto all = statuses_of(*binary), some = statuses_of(*converted);
    return !some.empty() && std::includes(all.begin(), all.end(), some.begin(), some.end());
}

Result<Dump> decode_converted(const tree::WalkedFolder& folder, const tree::WalkedDump& dump,
                              const DecodeOptions& options) {
    std::vector<std::string> files;
    for (const std::string& name : dump.converted) {
        files.push_back(folder.prefix + name);
    }
    return dump_stage::decode_converted_files(files, folder.was_read, options);
}

/// Removes converted dumps from the walk if their binary was found too, in any folder. Name, records and the ids of the
/// path must match, because ranks may have dumps of one name. The removed dumps count as other files, with a diagnostic
/// (converted_copies).
void remove_converted_copies(tree::Walk& found, const ScanOptions& options) {
    const auto path_of = [&found](const tree::DumpPosition& place) {
        const tree::WalkedFolder& folder = found.folders[place.folder];
        return folder.prefix + folder.dumps[place.dump].name;
    };
    const auto is_copy = [&](const tree::DumpPosition& copy, const tree::DumpPosition& binary) {
        const tree::WalkedFolder& folder = found.folders[copy.folder];
        return path_ids_agree(path_ids_of_file(path_of(copy)), path_ids_of_file(path_of(binary))) &&
               has_records_of(decode_file(path_of(binary), options.decode),
                              decode_converted(folder, folder.dumps[copy.dump], options.decode));
    };
    std::map<std::string, std::vector<tree::DumpPosition>> converted;  // by the name of the binary
    for (const tree::DumpPosition& place : found.in_path_order) {
        const tree::WalkedDump& dump = found.folders[place.folder].dumps[place.dump];
        const auto name = dump.converted.empty() ? std::nullopt : tree::parse_converted_name(dump.name);
        if (name) {
            converted[tree::one_spelling(name->dump_name)].push_back(place);
        }
    }
    std::set<std::string> copies;
    for (const tree::DumpPosition& place :
         converted.empty() ? std::vector<tree::DumpPosition>() : found.in_path_order) {
        const tree::WalkedDump& dump = found.folders[place.folder].dumps[place.dump];
        const auto same_name = dump.converted.empty() ? converted.find(tree::one_spelling(dump.name)) : converted.end();
        if (same_name == converted.end() || (options.stop && options.stop())) {
            continue;
        }
        for (const tree::DumpPosition& copy : same_name->second) {
            if (is_copy(copy, place)) {
                copies.insert(path_of(copy));
            }
        }
    }
    if (!copies.empty()) {
        found.diagnostics.push_back(
            remarks::diagnose("converted_copies", {{"count", copies.size()}, {"first", *copies.begin()}}));
        remove_from_dumps(copies, found);
    }
}

/// Equal {time}/{device} below different folders: dumps of several hosts, or copies. Ranks would distinguish them.
void remark_several_hosts(tree::Walk& found) {
    std::map<std::pair<std::string, std::uint64_t>, std::string> first_parents;  // by time and device
    for (const tree::WalkedFolder& folder : found.folders) {
        const std::string path = folder.dumps.empty() ? std::string() : folder.prefix + folder.dumps.front().name;
        const auto [ids, time_folder, root] = tree::match_folder_layouts(path);
        if (!ids.time || !ids.device_id || ids.rank) {
            continue;
        }
        const std::string parent(root.empty() ? "." : root);
        const auto [first, is_new] = first_parents.emplace(std::pair(*ids.time, *ids.device_id), parent);
        if (first->second != parent) {
            found.diagnostics.push_back(remarks::diagnose(
                "several_hosts",
                {{"time", *ids.time}, {"device", *ids.device_id}, {"first", first->second}, {"other", parent}}));
            return;
        }
    }
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
    std::uint64_t fresh = 0;  // the shards from here on have no folder, and are not in the queue
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

/// Keeps the dumps of one shard. Folders are dealt out, the largest first, each to the shard with the fewest dumps so
/// far. Counts of other files, failures and diagnostics stay with shard 0. `shard.index` is below `shard.count`.
void keep_shard(tree::Walk& found, const ScanShard& shard) {
    const std::vector<std::uint64_t> shards = shards_of(found.folders, shard.count);
    for (std::size_t i = 0; i < found.folders.size(); ++i) {
        if (shards[i] != shard.index) {
            found.folders[i].dumps = {};
        }
    }
    found.in_path_order = tree::dumps_in_path_order(found.folders);
    if (shard.index != 0) {
        found.op_dumps = 0;
        found.other_files = 0;
        found.failures.clear();
        found.diagnostics.clear();
    }
}

}  // namespace

bool reads_api_dumps(const std::optional<ScanShard>& shard) {
    return !shard || shard->index == 0;
}

ScannedTree digest_of(const tree::Walk& found) {
    bytes::Digest digest;
    for (const tree::DumpPosition& place : found.in_path_order) {
        const tree::WalkedFolder& folder = found.folders[place.folder];
        digest.add(folder.prefix);
        digest.add(folder.dumps[place.dump].name);
    }
    return {found.in_path_order.size(), digest.text()};
}

Result<DumpTree> find_dump_tree(const std::vector<std::string>& paths, const ScanOptions& options,
                                std::function<void(const tree::ListedFolder&)> listed) {
    if (options.shard && options.shard->index >= options.shard->count) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("there is no shard {} of {}: shards are numbered from 0", options.shard->index,
                                 options.shard->count),
                     "", std::nullopt};
    }
    ProgressReporter reporter(options.progress);
    tree::WalkOptions walk_options;
    walk_options.stop = options.stop;
    walk_options.progress = [&reporter](std::uint64_t dumps) { reporter.report_if_due({dumps, 0, true}); };
    walk_options.limits = options.decode.limits;
    walk_options.listed = std::move(listed);
    reporter.report({0, 0, true});
    Result<tree::Walk> found = tree::walk(paths, walk_options);
    if (!found) {
        return std::move(found.error());
    }
    auto api = options.api_dumps ? find_api_dumps(*found, options) : std::nullopt;
    remove_converted_copies(*found, options);
    remark_several_hosts(*found);
    std::optional<ScannedTree> whole;
    if (options.shard) {
        whole = digest_of(*found);
        keep_shard(*found, *options.shard);
    }
    return DumpTree(std::make_shared<const DumpTree::Contents>(
        DumpTree::Contents{paths, std::move(*found), options.shard, std::move(whole), std::move(api)}));
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
    for (const tree::DumpPosition& place : found.in_path_order) {
        const tree::WalkedFolder& folder = found.folders[place.folder];
        files.push_back(folder.prefix + folder.dumps[place.dump].name);
    }
    return files;
}

}  // namespace v0
}  // namespace opdebug
