// The whole examination: the environment, then each path. A path inside another one counts once.
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/doctor.hpp>
#include <opdebug/tree.hpp>

#include "doctor/checks.hpp"
#include "tree/folder.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// Decides by the name. A missing file is reported as its expected kind.
bool is_settings(const std::string& path) {
    constexpr std::string_view kEnding = ".json";
    const std::string_view name = file_name_of(path);
    struct stat status {};
    const bool is_other = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    return !is_other && name.size() > kEnding.size() && name.substr(name.size() - kEnding.size()) == kEnding &&
           name != "dump.json" && !(name == "debug.json" && doctor::has_api_calls(path)) && !parse_dump_name(name);
}

/// All paths together: logs and dumps are compared with each other.
struct Seen {
    DoctorCounts counts;
    std::vector<doctor::NamedDump> dumps;
    doctor::LoggedTime logged;
    std::string logs_path;
};

void examine_settings(const std::string& path, const DoctorOptions& options, Seen& seen, doctor::Findings& findings) {
    seen.counts.settings += doctor::check_settings(path, options.limits, findings) ? 1U : 0U;
}

/// Examines the files of dump settings that variables name, except those that are given as paths.
void examine_named_settings(const DoctorOptions& options, Seen& seen, doctor::Findings& findings) {
    const std::vector<std::string> variables = doctor::settings_variables();
    for (const auto& [name, file] : options.environment.value_or(Environment())) {
        const bool is_given = std::find(options.paths.begin(), options.paths.end(), file) != options.paths.end();
        if (file.empty() || is_given || std::find(variables.begin(), variables.end(), name) == variables.end()) {
            continue;
        }
        findings.begin(file);
        findings.add("settings_in_other_file", file, {{"member", name}, {"value", file}, {"wanted", ""}},
                     Severity::info);
        examine_settings(file, options, seen, findings);
    }
}

void examine_path(const std::string& path, const DoctorOptions& options, Seen& seen, doctor::Findings& findings) {
    if (is_settings(path)) {
        examine_settings(path, options, seen, findings);
        return;
    }
    const doctor::Survey survey = doctor::survey_of(path, options, findings);
    seen.counts.dumps += survey.dumps.size();
    seen.counts.op_dumps += survey.op_dumps;
    seen.counts.logs += survey.logs.size() + survey.maps.size();
    seen.counts.api_dumps += survey.api_dumps.size();
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
                     {{"api_dumps", survey.api_dumps.size()}, {"file", survey.api_dumps.front()}});
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
    examine_named_settings(options, seen, findings);
    for (const std::string& path : tree::outermost(options.paths, options.limits)) {
        findings.begin(path);
        examine_path(path, options, seen, findings);
    }
    report.counts = seen.counts;
    findings.begin(seen.logs_path);
    doctor::check_coverage(seen.logs_path, seen.dumps, seen.logged, findings);
    report.complete = !(options.stop && options.stop());
    findings.move_to(report);
    return report;
}

}  // namespace v0
}  // namespace opdebug
