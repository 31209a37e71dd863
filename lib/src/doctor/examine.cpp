// The whole examination: the environment, then each path. Files below several paths count once.
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <opdebug/doctor.hpp>
#include <opdebug/tree.hpp>

#include "bytes/counted.hpp"
#include "doctor/checks.hpp"
#include "tree/folder.hpp"
#include "tree/walk.hpp"

namespace opdebug::doctor {
namespace {

/// Identifies files by location: a given file may also be below a given folder, and links may lead to it. For operator
/// dumps, possibly millions, only folders are kept.
class CountedOnce {
public:
    /// `path`: subject of the survey.
    void add(const std::string& path, const Survey& survey);
    void add_settings(const std::string& file);

    DoctorCounts counts() const;

private:
    std::set<tree::FilePlace> dumps_, logs_, api_dumps_, settings_;
    std::map<tree::FolderIdentity, std::uint64_t> op_dumps_in_;
    std::set<tree::FilePlace> named_op_dumps_;    ///< named by the user; not counted in folders of op_dumps_in_
    std::set<tree::FilePlace> unnamed_op_dumps_;  ///< named by the user; no folder counts them
};

/// A file without an existing folder is identified by its path, so it counts.
tree::FilePlace known_by(const std::optional<tree::FilePlace>& place, const std::string& path) {
    return place ? *place : tree::FilePlace{{}, path};
}

void add_all(const std::vector<std::string>& files, std::set<tree::FilePlace>& places) {
    for (const std::string& file : files) {
        places.insert(known_by(tree::place_in_folder(file), file));
    }
}

void CountedOnce::add(const std::string& path, const Survey& survey) {
    for (const NamedDump& dump : survey.dumps) {
        dumps_.insert(
            known_by(tree::place_of(dump.path), dump.path));  // like a scan: a dump and links to it count once
    }
    add_all(survey.logs, logs_);
    add_all(survey.maps, logs_);
    add_all(survey.api_dumps, api_dumps_);
    op_dumps_in_.insert(survey.op_dumps_in.begin(), survey.op_dumps_in.end());
    if (survey.op_dumps != 0 && survey.op_dumps_in.empty()) {
        add_all({path}, survey.op_dump_by_content ? unnamed_op_dumps_ : named_op_dumps_);
    }
}

void CountedOnce::add_settings(const std::string& file) {
    settings_.insert(known_by(tree::place_of(file), file));
}

DoctorCounts CountedOnce::counts() const {
    DoctorCounts counts;
    counts.dumps = dumps_.size();
    counts.logs = logs_.size();
    counts.api_dumps = api_dumps_.size();
    counts.settings = settings_.size();
    counts.op_dumps = unnamed_op_dumps_.size();
    for (const auto& [folder, count] : op_dumps_in_) {
        counts.op_dumps += count;
    }
    counts.op_dumps += static_cast<std::uint64_t>(
        std::count_if(named_op_dumps_.begin(), named_op_dumps_.end(),
                      [this](const tree::FilePlace& place) { return op_dumps_in_.count(place.first) == 0; }));
    return counts;
}

}  // namespace
}  // namespace opdebug::doctor

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

/// Logs and dumps of all paths, which are compared with each other.
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
