// One dump → its record document.
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/origin.hpp>
#include <opdebug/report.hpp>

#include "c_interface/decoding.hpp"
#include "c_interface/error.hpp"
#include "c_interface/options.hpp"

namespace opdebug::c_interface {
namespace {

Result<std::string> document_of(const Result<Dump>& dump, const Options& options, LocateOptions locating) {
    if (!dump) {
        return dump.error();
    }
    if (options.system_time_zone) {
        locating.host_utc_offset_minutes = system_utc_offset_minutes(dump->timestamp_us);
    }
    const Location location = locate(*dump, locating);
    const bool measures = options.tensors && dump->overflow().value_or(false);
    const TensorEvidence evidence = measures ? measure_operator(location, {}, options.limits) : TensorEvidence();
    return record_to_json(*dump, location, evidence, report_of(options));
}

Result<std::string> document_of_file(const char* path, const opdebug_logs* logs, const char* options_text) {
    if (path == nullptr) {
        return null_argument("path");
    }
    if (*path == '\0') {
        return empty_path("path");
    }
    const Result<Decoding> given = read_decoding(options_text, decoding);
    if (!given) {
        return given.error();
    }
    return document_of(decode_file(path, given->decode), given->options, locate_of(given->options, logs));
}

Result<std::string> document_of_bytes(Bytes bytes, const char* file, const opdebug_logs* logs,
                                      const char* options_text) {
    Result<Decoding> given = read_decoding(options_text, decoding);
    if (!given) {
        return given.error();
    }
    given->decode.file = file == nullptr ? "" : file;
    LocateOptions locating = locate_of(given->options, logs);
    locating.use_op_dumps = false;
    return document_of(decode(bytes, given->decode), given->options, std::move(locating));
}

}  // namespace
}  // namespace opdebug::c_interface

using namespace opdebug::c_interface;

char* opdebug_decode_file(const char* path, const opdebug_logs* logs, const char* options, opdebug_error** error) {
    return guarded_text(error, [&] { return document_of_file(path, logs, options); });
}

char* opdebug_decode_bytes(const void* bytes, size_t size, const char* file, const opdebug_logs* logs,
                           const char* options, opdebug_error** error) {
    return guarded_text(error, [&]() -> opdebug::Result<std::string> {
        if (bytes == nullptr && size != 0) {
            return null_argument("bytes");
        }
        return document_of_bytes({static_cast<const std::uint8_t*>(bytes), size}, file, logs, options);
    });
}
