// Paths → the report on the API dumps below them.
#include <functional>

#include <opdebug/opdebug.h>
#include <opdebug/api_culprits.hpp>
#include <opdebug/api_report.hpp>

#include "c_interface/error.hpp"
#include "c_interface/options.hpp"
#include "c_interface/stop.hpp"

namespace opdebug::c_interface {
namespace {

Result<std::string> api_report(const char* const* paths, std::size_t count, const char* options_text, Stop& stop) {
    const Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    const Result<Options> given = read_options(options_text, judging_api_dumps);
    if (!given) {
        return given.error();
    }
    ApiOptions options;
    options.read.stop = std::ref(stop);
    options.read.limits = given->limits;
    options.threads = given->threads;
    options.findings_per_verdict = given->findings_per_verdict.value_or(options.findings_per_verdict);
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

}  // namespace
}  // namespace opdebug::c_interface

using namespace opdebug::c_interface;

char* opdebug_api_report(const char* const* paths, size_t count, const char* options, opdebug_stop* stop,
                         void* stop_data, opdebug_error** error) {
    return guarded_text(error, [&] {
        Stop asked(stop, stop_data);
        return api_report(paths, count, options, asked);
    });
}
