#include "scan/api_dumps.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include <opdebug/api_culprits.hpp>

#include "api_dump/dump_files.hpp"
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

/// Where no dump is, a file that cannot be read may be anybody's, unless it lies where msprobe writes.
void leave_out_files_of_others(ApiTree& tree) {
    if (tree.files.empty()) {
        const auto is_of_others = [](const Error& error) { return !api_dump::is_where_msprobe_writes(error.file); };
        tree.failures.erase(std::remove_if(tree.failures.begin(), tree.failures.end(), is_of_others),
                            tree.failures.end());
    }
}

}  // namespace

std::optional<ApiTree> take_api_dumps(tree::Walk& found, const ScanOptions& options) {
    api_dump::DumpFiles files;
    std::set<std::string> given;
    for (const tree::NamedAsApiDump& named : found.named_as_api_dumps) {
        if (options.stop && options.stop()) {
            found.complete = false;
            break;
        }
        if (files.add_if_dump(named.path) && named.given) {
            given.insert(named.path);
        }
    }
    found.named_as_api_dumps = {};
    take_out_of_dumps(given, found);
    ApiTree tree = files.take();
    leave_out_files_of_others(tree);
    return tree.files.empty() && tree.failures.empty() ? std::nullopt : std::optional(std::move(tree));
}

std::shared_ptr<const ApiReport> judge_api_dumps(const ApiTree& tree, const std::vector<std::string>& inputs,
                                                 const ScanOptions& options) {
    ApiOptions api;
    api.read.stop = options.stop;
    api.read.limits = options.decode.limits;
    api.threads = options.threads;
    Result<ApiReport> read = find_api_culprits(tree.files, api);
    auto report = std::make_shared<ApiReport>(read ? std::move(*read) : ApiReport());
    if (!read && read.error().code == ErrorCode::interrupted) {
        report->complete = false;
    } else if (!read) {
        report->failures.push_back(read.error());
    }
    report->inputs = inputs;
    report->failures.insert(report->failures.end(), tree.failures.begin(), tree.failures.end());
    report->counts.failed = report->failures.size();
    return report;
}

}  // namespace opdebug::scan_stage
