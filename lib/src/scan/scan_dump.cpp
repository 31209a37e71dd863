#include "scan/scan_dump.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dump/converted.hpp"
#include "dump/dump.hpp"
#include "locate/op_dump_folders.hpp"
#include "tree/links.hpp"

namespace opdebug::scan_stage {
namespace {

Result<Dump> read_dump(const DumpFiles& files, OpDumpFolders::Contents& folder, const DecodeOptions& options) {
    if (!files.converted.empty()) {
        return dump_stage::decode_converted_files(files.converted, files.outputs_are_all, options);
    }
    return dump_stage::decode_named_file(files.file, folder.mappings.real_name_of(files.file, options.limits), options,
                                         folder.open_folder());
}

/// Faults of parts carry the name of an error code, so that one of them can stand for the dump.
ErrorCode code_named(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(ErrorCode::write_failed); ++i) {
        if (to_string(static_cast<ErrorCode>(i)) == name) {
            return static_cast<ErrorCode>(i);
        }
    }
    return ErrorCode::record_truncated;
}

/// Why it is not known whether the dump tells of an overflow.
Error missing_records(const Dump& dump) {
    const auto fault = std::find_if(dump.diagnostics.begin(), dump.diagnostics.end(), [](const Diagnostic& diagnostic) {
        return diagnostic.severity == Severity::error;
    });
    if (fault == dump.diagnostics.end()) {
        return {ErrorCode::record_truncated, "records of this dump are missing", dump.file, std::nullopt};
    }
    return {code_named(fault->code), fault->message, dump.file, std::nullopt};
}

/// A damaged dump may have been converted while it was whole.
Error with_hint(Error error, const DumpFiles& files) {
    if (!files.converted_beside.empty()) {
        error.message +=
            fmt::format("; it was converted to {}: name that file to read it instead", files.converted_beside);
    }
    return error;
}

}  // namespace

ScannedDump scan_dump(const DumpFiles& files, const ScanOptions& options,
                      const std::shared_ptr<OpDumpFolders>& op_dumps,
                      const std::optional<std::uint64_t>& first_of_time_folder_us) {
    ScannedDump scanned;
    scanned.file = files.file;
    Result<Dump> dump = read_dump(files, op_dumps->contents(), options.decode);
    if (dump) {
        dump->path_ids = tree::with_ids_behind_links(std::move(dump->path_ids), files.real_path);
    }
    if (!dump) {
        scanned.failure = with_hint(std::move(dump.error()), files);
        return scanned;
    }
    const std::optional<bool> overflow = dump->overflow();
    scanned.state = !overflow ? DumpState::failed : *overflow ? DumpState::overflowed : DumpState::clean;
    if (!overflow) {
        scanned.failure = with_hint(missing_records(*dump), files);
    }
    if (scanned.state == DumpState::clean && options.locate_overflowed) {
        scanned.location = locate(*dump);  // looks nothing up, but its document says why it names no operator
    }
    if (scanned.state == DumpState::overflowed && options.locate_overflowed) {
        LocateOptions locate_options = options.locate;
        locate_options.folders = op_dumps;
        locate_options.first_of_time_folder_us = first_of_time_folder_us;
        locate_options.limits = options.decode.limits;
        if (options.locate.task_map && options.host_utc_offset_minutes) {  // asked of logs only, and under a lock
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

}  // namespace opdebug::scan_stage
