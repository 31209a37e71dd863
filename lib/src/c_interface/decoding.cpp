#include "c_interface/decoding.hpp"

#include "bytes/file.hpp"
#include "c_interface/logs.hpp"

namespace opdebug::c_interface {
namespace {

/// Null: the built-in one.
Result<std::shared_ptr<const StatusCatalogue>> catalogue_of(const Options& options) {
    if (options.status_catalogue.empty()) {
        return std::shared_ptr<const StatusCatalogue>();
    }
    std::vector<NamedText> files;
    for (const std::string& path : options.status_catalogue) {
        const auto bytes =
            bytes::read_file(path, options.limits, &Limits::definition_bytes, ErrorCode::definition_too_large);
        if (!bytes) {
            return bytes.error();
        }
        files.push_back({path, std::string(bytes->begin(), bytes->end())});
    }
    return load_status_catalogue(files, options.limits);
}

}  // namespace

Result<Decoding> read_decoding(const char* text, Taker taker) {
    const Result<Options> options = read_options(text, taker);
    if (!options) {
        return options.error();
    }
    const auto catalogue = catalogue_of(*options);
    if (!catalogue) {
        return catalogue.error();
    }
    Decoding decoding{*options, {}};
    decoding.decode.catalogue = *catalogue;
    decoding.decode.limits = options->limits;
    return decoding;
}

ReportOptions report_of(const Options& options) {
    ReportOptions report;
    report.language = options.language;
    report.one_line = true;
    report.tensors = options.tensors;
    return report;
}

LocateOptions locate_of(const Options& options, const opdebug_logs* logs) {
    LocateOptions locate;
    locate.task_map = logs == nullptr ? nullptr : logs->read.task_map;
    locate.utc_offset_minutes = options.utc_offset_minutes;
    locate.limits = options.limits;
    return locate;
}

}  // namespace opdebug::c_interface
