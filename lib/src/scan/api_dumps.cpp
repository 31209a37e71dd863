#include "scan/api_dumps.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <opdebug/api_culprits.hpp>
#include <opdebug/tree.hpp>

#include "api_culprits/culprits.hpp"
#include "api_dump/dump_place.hpp"
#include "tree/api_dump_name.hpp"
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

}  // namespace

bool reads_api_dumps(const std::optional<ScanShard>& shard) {
    return !shard || shard->index == 0;
}

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

std::shared_ptr<const ApiReport> judge_api_dumps(const api_dump::FoundDumps& dumps,
                                                 const std::vector<std::string>& inputs, const ScanOptions& options) {
    ApiOptions api;
    api.read.stop = options.stop;
    api.read.limits = options.decode.limits;
    api.threads = options.threads;
    return std::make_shared<const ApiReport>(api_culprits::culprits_in(dumps, inputs, api));
}

}  // namespace opdebug::scan_stage
