// One call → one document: a dump, a status, API dumps, tensors, missing settings, a merged report.
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/opdebug.h>
#include <opdebug/api.hpp>
#include <opdebug/doctor.hpp>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>

#include "c_interface/calls.hpp"
#include "front/answer.hpp"
#include "report/json/json_parts.hpp"
#include "status/catalogue_reader.hpp"

namespace opdebug::c_interface {
namespace {

/// The document, or the text for people.
enum class Form { json, text };

Result<std::string> written(const Result<Dump>& dump, const Options& options, LocateOptions locating, Form form) {
    if (!dump) {
        return dump.error();
    }
    const front::Answer answer =
        front::answer_for(*dump, std::move(locating), options.system_time_zone, options.tensors);
    const ReportOptions report = report_of(options);
    return form == Form::json
               ? record_to_json(*dump, answer.location, answer.evidence, report)
               : front::text_of(*dump, answer, report, options.utc_offset_minutes, options.system_time_zone);
}

Result<std::string> written_of_file(const char* path, const opdebug_logs* logs, const opdebug_options* caller_options,
                                    Form form) {
    if (const std::optional<Error> fault = fault_of_path(path)) {
        return *fault;
    }
    const Result<Decoding> given = decoding_of(caller_options);
    if (!given) {
        return given.error();
    }
    return written(decode_file(path, given->decode), given->options, locate_of(given->options, logs), form);
}

Result<std::string> document_of_bytes(Bytes bytes, const char* file, const opdebug_logs* logs,
                                      const opdebug_options* caller_options) {
    Result<Decoding> given = decoding_of(caller_options);
    if (!given) {
        return given.error();
    }
    given->decode.file = file == nullptr ? "" : file;
    LocateOptions locating = locate_of(given->options, logs);
    locating.use_op_dumps = false;
    return written(decode(bytes, given->decode), given->options, std::move(locating), Form::json);
}

Error wrong_argument(std::string message) {
    return {ErrorCode::invalid_argument, std::move(message), {}, {}};
}

/// Nothing is read of the caller's words while their number is in doubt.
Result<std::string> explanation_of(const char* unit_name, const std::uint64_t* words, std::size_t count,
                                   const opdebug_options* caller_options) {
    if (unit_name == nullptr || words == nullptr) {
        return null_argument(unit_name == nullptr ? "unit" : "words");
    }
    const std::optional<Unit> unit = unit_from_key(unit_name);
    if (!unit) {
        return wrong_argument(
            fmt::format("'{}' is not a unit: {} was expected", shown(unit_name), status::unit_keys()));
    }
    if (count != 1 && count != 4) {
        return wrong_argument(
            fmt::format("count is {}; 1 value, or the 4 of an accelerator record of version 1, was expected", count));
    }
    const Result<Decoding> decoding = decoding_of(caller_options);
    if (!decoding) {
        return decoding.error();
    }
    const auto& catalogue = decoding->decode.catalogue;
    const auto explanation = decode_status(catalogue ? *catalogue : *built_in_status_catalogue(), *unit,
                                           std::vector<std::uint64_t>(words, words + count));
    return explanation ? Result<std::string>(report::explanation_to_json(*explanation, report_of(decoding->options)))
                       : explanation.error();
}

Result<std::string> api_report(const char* const* paths, std::size_t count, const opdebug_options* caller_options,
                               Stop& stop) {
    const Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    const Options& given = options_of(caller_options);
    ApiOptions options;
    options.read.stop = std::ref(stop);
    options.read.limits = given.limits;
    options.threads = given.threads;
    options.findings_per_verdict = given.findings_per_verdict.value_or(options.findings_per_verdict);
    const Result<ApiReport> report = find_api_culprits(*all, options);
    if (!report) {
        return report.error();
    }
    if (stop.gave_up()) {
        return interrupted_while("API dumps were read");
    }
    ReportOptions one_line;
    one_line.one_line = true;
    return api_report_to_json(*report, one_line);
}

Result<std::string> measured_tensors(const char* path, const opdebug_options* caller_options, Stop& stop) {
    if (const std::optional<Error> fault = fault_of_path(path)) {
        return *fault;
    }
    const Options& options = options_of(caller_options);
    OpDumpOptions measuring_options;
    measuring_options.stop = std::ref(stop);
    measuring_options.limits = options.limits;
    const Result<OpDump> dump = measure_op_dump(path, measuring_options);
    return dump ? Result<std::string>(tensors_to_json(*dump, report_of(options))) : dump.error();
}

Result<std::string> examined(const char* const* paths, std::size_t count, const opdebug_options* caller_options,
                             Stop& stop) {
    Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    const Options& options = options_of(caller_options);
    DoctorOptions examination;
    examination.paths = std::move(all).value();
    examination.limits = options.limits;
    examination.stop = std::ref(stop);
    const DoctorReport report = examine(examination);
    return report.complete ? Result<std::string>(doctor_to_json(report, report_of(options)))
                           : interrupted_while("paths were examined");
}

Result<std::string> merged(const char* const* paths, std::size_t count, const opdebug_options* caller_options,
                           Stop& stop) {
    const Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    const Options& options = options_of(caller_options);
    std::vector<MergeInput> inputs;
    inputs.reserve(all->size());
    for (const std::string& path : *all) {
        inputs.push_back({path});
    }
    MergeOptions how;
    how.report.report.language = options.language;
    how.report.first = options.first;
    how.report.temporary_folder = options.temporary_folder;
    const Result<Merge> merge = merge_reports(inputs, how);
    if (!merge) {
        return merge.error();
    }
    std::string text;
    const std::optional<Error> fault = merge->report.write_json([&](std::string_view piece) {
        text += piece;
        return !stop();
    });
    if (fault) {
        return *fault;
    }
    return stop.gave_up() ? Result<std::string>(interrupted_while("reports were merged"))
                          : Result<std::string>(std::move(text));
}

}  // namespace
}  // namespace opdebug::c_interface

using namespace opdebug::c_interface;

char* opdebug_decode_file(const char* path, const opdebug_logs* logs, const opdebug_options* options,
                          opdebug_error** error) {
    return guarded_text(error, [&] { return written_of_file(path, logs, options, Form::json); });
}

char* opdebug_explain_file(const char* path, const opdebug_logs* logs, const opdebug_options* options,
                           opdebug_error** error) {
    return guarded_text(error, [&] { return written_of_file(path, logs, options, Form::text); });
}

char* opdebug_decode_bytes(const void* bytes, size_t size, const char* file, const opdebug_logs* logs,
                           const opdebug_options* options, opdebug_error** error) {
    return guarded_text(error, [&]() -> opdebug::Result<std::string> {
        if (bytes == nullptr && size != 0) {
            return null_argument("bytes");
        }
        return document_of_bytes({static_cast<const std::uint8_t*>(bytes), size}, file, logs, options);
    });
}

char* opdebug_decode_status(const char* unit, const uint64_t* words, size_t count, const opdebug_options* options,
                            opdebug_error** error) {
    return guarded_text(error, [&] { return explanation_of(unit, words, count, options); });
}

char* opdebug_api_report(const char* const* paths, size_t count, const opdebug_options* options, opdebug_stop* stop,
                         void* stop_data, opdebug_error** error) {
    return guarded_text(error, [&] {
        Stop stopped(stop, stop_data);
        return api_report(paths, count, options, stopped);
    });
}

char* opdebug_measure_op_dump(const char* path, const opdebug_options* options, opdebug_stop* stop, void* stop_data,
                              opdebug_error** error) {
    return guarded_text(error, [&] {
        Stop stopped(stop, stop_data);
        return measured_tensors(path, options, stopped);
    });
}

char* opdebug_examine(const char* const* paths, size_t count, const opdebug_options* options, opdebug_stop* stop,
                      void* stop_data, opdebug_error** error) {
    return guarded_text(error, [&] {
        Stop stopped(stop, stop_data);
        return examined(paths, count, options, stopped);
    });
}

char* opdebug_merge_reports(const char* const* paths, size_t count, const opdebug_options* options, opdebug_stop* stop,
                            void* stop_data, opdebug_error** error) {
    return guarded_text(error, [&] {
        Stop stopped(stop, stop_data);
        return merged(paths, count, options, stopped);
    });
}
