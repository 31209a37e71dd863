#include "scan/scan_dump.hpp"

#include <algorithm>
#include <utility>

#include "dump/converted.hpp"
#include "dump/dump.hpp"
#include "tree/folder.hpp"
#include "tree/path_ids.hpp"

namespace opdebug::scan_stage {
namespace {

/// The files of one dump.
struct DumpFiles {
    std::string file;
    std::vector<std::string> converted;  ///< converted outputs that replace it; empty: `file` is the dump
    bool outputs_are_all = true;         ///< of `converted`; false: there may be others
    std::string real_path;               ///< of `file`, if its path has a link; empty: it has none
};

DumpFiles files_of(const tree::WalkedFolder& folder, const tree::WalkedDump& dump) {
    DumpFiles files{folder.prefix + dump.name, {}, folder.was_read, tree::real_path_of(folder, dump)};
    for (const std::string& name : dump.converted) {
        files.converted.push_back(folder.prefix + name);
    }
    return files;
}

Result<Dump> read_dump(const DumpFiles& files, tree::KnownMappings& mappings, const DecodeOptions& options) {
    if (!files.converted.empty()) {
        return dump_stage::decode_converted_files(files.converted, files.outputs_are_all, options);
    }
    return dump_stage::decode_named_file(files.file, mappings.real_name_of(files.file, options.limits), options);
}

/// The error code that has the name of a diagnostic.
ErrorCode code_named(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(ErrorCode::write_failed); ++i) {
        if (to_string(static_cast<ErrorCode>(i)) == name) {
            return static_cast<ErrorCode>(i);
        }
    }
    return ErrorCode::record_truncated;
}

/// Why it is unknown whether the dump reports an overflow.
Error missing_records(const Dump& dump) {
    const auto fault = std::find_if(dump.diagnostics.begin(), dump.diagnostics.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::error;
    });
    if (fault == dump.diagnostics.end()) {
        return {ErrorCode::record_truncated, "records of this dump are missing", dump.file, std::nullopt};
    }
    return {code_named(fault->code), fault->message, dump.file, std::nullopt};
}

ScannedDump scan_dump(const DumpFiles& files, const ScanOptions& options,
                      const std::shared_ptr<OpDumpFolders>& op_dumps) {
    ScannedDump scanned;
    scanned.file = files.file;
    Result<Dump> dump = read_dump(files, op_dumps->contents().mappings, options.decode);
    if (dump) {
        dump->path_ids = tree::with_ids_behind_links(std::move(dump->path_ids), files.real_path);
    }
    if (!dump) {
        scanned.failure = std::move(dump.error());
        return scanned;
    }
    const std::optional<bool> overflow = dump->overflow();
    scanned.state = !overflow ? DumpState::failed : *overflow ? DumpState::overflowed : DumpState::clean;
    if (!overflow) {
        scanned.failure = missing_records(*dump);
    }
    if (scanned.state == DumpState::clean && options.locate_overflowed) {
        scanned.location = locate(*dump);  // its document contains the reason why it names no operator
    }
    if (scanned.state == DumpState::overflowed && options.locate_overflowed) {
        LocateOptions locate_options = options.locate;
        locate_options.folders = op_dumps;
        locate_options.limits = options.decode.limits;
        if (options.host_utc_offset_minutes) {
            locate_options.host_utc_offset_minutes = options.host_utc_offset_minutes(dump->timestamp_us);
        }
        scanned.location = locate(*dump, locate_options);
        if (options.tensors) {
            scanned.tensors = measure_operator(scanned.location, options.stop, options.decode.limits);
        }
    }
    scanned.dump = std::move(dump).value();
    return scanned;
}

}  // namespace

DumpReader::DumpReader(const DumpTree::Contents& tree, const ScanOptions& options)
    : found_(tree.found), options_(options) {}

ScannedDump DumpReader::read(const tree::DumpPosition& place) {
    const tree::WalkedFolder& folder = found_.folders[place.folder];
    ScannedDump scanned = scan_dump(files_of(folder, folder.dumps[place.dump]), options_, enter(place.folder));
    leave(place.folder);
    return scanned;
}

std::shared_ptr<OpDumpFolders> DumpReader::enter(std::uint32_t folder) {
    const std::lock_guard<std::mutex> lock(mutex_);
    FolderInUse& entered = folders_[folder];
    if (!entered.op_dumps) {
        entered = {std::make_shared<OpDumpFolders>(), found_.folders[folder].dumps.size()};
    }
    return entered.op_dumps;
}

void DumpReader::leave(std::uint32_t folder) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto entered = folders_.find(folder);
    if (--entered->second.dumps_left == 0) {
        folders_.erase(entered);
    }
}

}  // namespace opdebug::scan_stage
