// The examination as a whole: the environment, then path by path.
#include <sys/stat.h>

#include <algorithm>
#include <vector>

#include <opdebug/doctor.hpp>
#include <opdebug/tree.hpp>

#include "bytes/counted.hpp"
#include "doctor/checks.hpp"
#include "doctor/counted_once.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// By the name; a file that is not there is told as what it would be.
bool is_settings(const std::string& path) {
    constexpr std::string_view kEnding = ".json";
    const std::string_view name = file_name_of(path);
    struct stat status {};
    const bool is_other = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    return !is_other && name.size() > kEnding.size() && name.substr(name.size() - kEnding.size()) == kEnding &&
           name != "dump.json" && !(name == "debug.json" && doctor::has_api_calls(path)) && !parse_dump_name(name);
}

/// What logs and dumps are compared with: those of all paths belong together.
struct Seen {
    std::vector<doctor::NamedDump> dumps;
    doctor::LoggedTime logged;
    std::string logs_path;
};

void examine_path(const std::string& path, const DoctorOptions& options, doctor::CountedOnce& counted, Seen& seen,
                  doctor::Findings& findings) {
    if (is_settings(path)) {
        if (doctor::check_settings(path, options.limits, findings)) {
            counted.add_settings(path);
        }
        return;
    }
    const doctor::Survey survey = doctor::survey_of(path, options, findings);
    counted.add(path, survey);
    doctor::check_dumps(path, survey, options, findings);
    doctor::check_maps(survey, findings);
    if (!survey.logs.empty()) {
        const doctor::LoggedTime logged = doctor::check_logs(path, survey, options, findings);
        if (logged.known) {
            seen.logs_path = seen.logs_path.empty() ? path : seen.logs_path;
            seen.logged.add(logged.begin);
            seen.logged.add(logged.end);
        }
    }
    if (!survey.api_dumps.empty()) {
        findings.add("api_dumps_found", path,
                     {{"api_dumps", bytes::counted(survey.api_dumps.size(), "API-level dump")},
                      {"file", survey.api_dumps.front()}});
    }
    seen.dumps.insert(seen.dumps.end(), survey.dumps.begin(), survey.dumps.end());
}

}  // namespace

std::uint64_t DoctorReport::count(Severity severity) const noexcept {
    return static_cast<std::uint64_t>(std::count_if(
        findings.begin(), findings.end(), [severity](const DoctorFinding& item) { return item.severity == severity; }));
}

DoctorReport examine(const DoctorOptions& options) {
    DoctorReport report;
    report.paths = options.paths;
    doctor::Findings findings;
    if (options.environment) {
        report.environment_examined = true;
        doctor::check_environment(*options.environment, findings);
    }
    Seen seen;
    doctor::CountedOnce counted;
    for (const std::string& path : options.paths) {
        examine_path(path, options, counted, seen, findings);
    }
    report.counts = counted.counts();
    doctor::check_coverage(seen.logs_path, seen.dumps, seen.logged, findings);
    report.complete = !(options.stop && options.stop());
    report.findings = findings.take();
    return report;
}

}  // namespace v0
}  // namespace opdebug
