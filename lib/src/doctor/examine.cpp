// The examination as a whole: the environment, then path by path.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <vector>

#include <opdebug/doctor.hpp>
#include <opdebug/tree.hpp>

#include "doctor/checks.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

namespace fs = std::filesystem;

/// By the name; a file that is not there is told as what it would be.
bool is_settings(const std::string& path) {
    constexpr std::string_view kEnding = ".json";
    const std::string_view name = file_name_of(path);
    struct stat status {};
    const bool is_other = ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
    return !is_other && name.size() > kEnding.size() && name.substr(name.size() - kEnding.size()) == kEnding &&
           name != "dump.json" && !parse_dump_name(name);
}

/// The given paths without links: files below several of them count once.
class GivenPlaces {
public:
    explicit GivenPlaces(const std::vector<std::string>& paths) {
        for (const std::string& path : paths) {
            std::error_code unknown;
            const fs::path real = fs::canonical(path, unknown);
            real_.push_back(unknown ? fs::path(path) : real);
            first_.emplace(real_.back(), real_.size() - 1);
        }
    }

    /// Whether the path is given again, or is a folder below another one.
    bool counts_elsewhere(std::size_t index) const {
        const fs::path& path = real_[index];
        std::error_code absent;
        if (first_.at(path) < index || !fs::is_directory(path, absent)) {
            return first_.at(path) < index;
        }
        fs::path above = path;
        while (above.has_relative_path()) {
            above = above.parent_path();
            if (first_.count(above) != 0) {
                return true;
            }
        }
        return false;
    }

private:
    std::vector<fs::path> real_;
    std::map<fs::path, std::size_t> first_;
};

/// What logs and dumps are compared with: those of all paths belong together.
struct Seen {
    std::vector<doctor::NamedDump> dumps;
    doctor::LoggedTime logged;
    std::string logs_path;
};

/// `counts`: what lies there is not of another path as well.
void examine_path(const std::string& path, bool counts, const DoctorOptions& options, DoctorReport& report, Seen& seen,
                  doctor::Findings& findings) {
    if (is_settings(path)) {
        report.counts.settings += doctor::check_settings(path, options.limits, findings) && counts ? 1U : 0U;
        return;
    }
    const doctor::Survey survey = doctor::survey_of(path, options, findings);
    if (counts) {
        report.counts.dumps += survey.dumps.size();
        report.counts.op_dumps += survey.op_dumps;
        report.counts.logs += survey.logs.size();
        report.counts.api_dumps += survey.api_dumps.size();
    }
    doctor::check_dumps(path, survey, options, findings);
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
                     {{"count", std::to_string(survey.api_dumps.size())}, {"file", survey.api_dumps.front()}});
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
    const GivenPlaces places(options.paths);
    for (std::size_t i = 0; i < options.paths.size(); ++i) {
        examine_path(options.paths[i], !places.counts_elsewhere(i), options, report, seen, findings);
    }
    doctor::check_coverage(seen.logs_path, seen.dumps, seen.logged, findings);
    report.complete = !(options.stop && options.stop());
    report.findings = findings.take();
    return report;
}

}  // namespace v0
}  // namespace opdebug
