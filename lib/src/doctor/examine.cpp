// The whole examination: the environment, then each path. Files below several paths count once.
#include <sys/stat.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <opdebug/doctor.hpp>
#include <opdebug/tree.hpp>

#include "bytes/counted.hpp"
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

/// Files of all given paths. A file is identified by its location, without links: a given file may also be below a
/// given folder.
class KnownFiles {
public:
    void add(const std::vector<std::string>& files) {
        for (const std::string& file : files) {
            places_.insert(tree::place_of(file).value_or(tree::FilePlace{{}, file}));
        }
    }
    std::uint64_t count() const noexcept { return places_.size(); }

private:
    std::set<tree::FilePlace> places_;
};

/// Counts of all given paths. Operator dumps, possibly millions, are counted by path: no folder is in another.
struct FilesOnce {
    KnownFiles dumps, logs, api_dumps, settings;
    std::uint64_t op_dumps = 0;

    void add(const doctor::Survey& survey) {
        for (const doctor::NamedDump& dump : survey.dumps) {
            dumps.add({dump.path});
        }
        logs.add(survey.logs);
        logs.add(survey.maps);
        api_dumps.add(survey.api_dumps);
        op_dumps += survey.op_dumps;
    }
    DoctorCounts counts() const { return {dumps.count(), op_dumps, logs.count(), api_dumps.count(), settings.count()}; }
};

/// Logs and dumps of all paths, which are compared with each other.
struct Seen {
    std::vector<doctor::NamedDump> dumps;
    doctor::LoggedTime logged;
    std::string logs_path;
};

void examine_path(const std::string& path, const DoctorOptions& options, FilesOnce& counted, Seen& seen,
                  doctor::Findings& findings) {
    if (is_settings(path)) {
        if (doctor::check_settings(path, options.limits, findings)) {
            counted.settings.add({path});
        }
        return;
    }
    const doctor::Survey survey = doctor::survey_of(path, options, findings);
    counted.add(survey);
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
    FilesOnce counted;
    for (const std::string& path : tree::outermost(options.paths, options.limits)) {
        findings.begin(path);
        examine_path(path, options, counted, seen, findings);
    }
    report.counts = counted.counts();
    findings.begin(seen.logs_path);
    doctor::check_coverage(seen.logs_path, seen.dumps, seen.logged, findings);
    report.complete = !(options.stop && options.stop());
    findings.move_to(report);
    return report;
}

}  // namespace v0
}  // namespace opdebug
