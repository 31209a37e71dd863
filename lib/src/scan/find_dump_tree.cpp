// Paths → the dumps below them, by name; of a shard its share.
#include <opdebug/scan.hpp>

#include <utility>

#include <fmt/format.h>

#include "scan/api_dumps.hpp"
#include "scan/converted_copies.hpp"
#include "scan/dump_tree.hpp"
#include "scan/progress_teller.hpp"
#include "scan/shard.hpp"
#include "scan/threads.hpp"

namespace opdebug {
namespace scan_stage {

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

}  // namespace scan_stage

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
