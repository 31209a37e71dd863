// Paths → one document: tensors of an operator, what is missing, several reports as one.
#include <chrono>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/opdebug.h>
#include <opdebug/doctor.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>
#include <opdebug/tensor.hpp>

#include "c_interface/calls.hpp"
#include "c_interface/options.hpp"

namespace opdebug::c_interface {
namespace {

std::uint64_t now_us() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(now).count());
}

Result<std::string> measured_tensors(const char* path, const opdebug_options* caller_options, Stop& stop) {
    if (const std::optional<Error> fault = fault_of_path(path)) {
        return *fault;
    }
    const Result<Options> options = options_of(caller_options, measuring);
    if (!options) {
        return options.error();
    }
    OpDumpOptions measuring_options;
    measuring_options.stop = std::ref(stop);
    measuring_options.limits = options->limits;
    const Result<OpDump> dump = measure_op_dump(path, measuring_options);
    return dump ? Result<std::string>(tensors_to_json(*dump, report_of(*options))) : dump.error();
}

Result<std::string> examined(const char* const* paths, std::size_t count, const opdebug_options* caller_options,
                             Stop& stop) {
    Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    const Result<Options> options = options_of(caller_options, examining);
    if (!options) {
        return options.error();
    }
    DoctorOptions examination;
    examination.paths = std::move(all).value();
    examination.now_us = now_us();
    if (options->system_time_zone) {
        examination.host_utc_offset_minutes = system_utc_offset_minutes(examination.now_us);
    }
    examination.limits = options->limits;
    examination.stop = std::ref(stop);
    const DoctorReport report = examine(examination);
    return report.complete ? Result<std::string>(doctor_to_json(report, report_of(*options)))
                           : interrupted_while("paths were examined");
}

Result<std::string> merged(const char* const* paths, std::size_t count, const opdebug_options* caller_options,
                           Stop& stop) {
    const Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    const Result<Options> options = options_of(caller_options, merging);
    if (!options) {
        return options.error();
    }
    std::vector<MergeInput> inputs;
    inputs.reserve(all->size());
    for (const std::string& path : *all) {
        inputs.push_back({path});
    }
    MergeOptions how;
    how.report.report.language = options->language;
    how.report.first = options->first;
    how.report.temporary_folder = options->temporary_folder;
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

char* opdebug_measure_op_dump(const char* path, const opdebug_options* options, opdebug_stop* stop, void* stop_data,
                              opdebug_error** error) {
    return guarded_text(error, [&] {
        Stop asked(stop, stop_data);
        return measured_tensors(path, options, asked);
    });
}

char* opdebug_examine(const char* const* paths, size_t count, const opdebug_options* options, opdebug_stop* stop,
                      void* stop_data, opdebug_error** error) {
    return guarded_text(error, [&] {
        Stop asked(stop, stop_data);
        return examined(paths, count, options, asked);
    });
}

char* opdebug_merge_reports(const char* const* paths, size_t count, const opdebug_options* options, opdebug_stop* stop,
                            void* stop_data, opdebug_error** error) {
    return guarded_text(error, [&] {
        Stop asked(stop, stop_data);
        return merged(paths, count, options, asked);
    });
}
