// The checks of an examination, and the findings that they add. Findings have the words of
// lib/data/doctor/findings.json.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <opdebug/doctor.hpp>

#include "tree/entry.hpp"
#include "tree/folder.hpp"
#include "tree/walk.hpp"

namespace opdebug::doctor {

struct FindingWords {
    std::string message, setting, source;
};

/// A finding as the data file words it; {names} stand for values.
struct FindingText {
    Severity severity = Severity::info;
    FindingWords english, chinese;
};

/// The texts by code. Error: definition file that is not sound, which the tests of the library rule out.
Result<std::map<std::string, FindingText, std::less<>>> read_finding_texts(const std::string& name,
                                                                           const std::string& text);

using Values = std::initializer_list<std::pair<std::string_view, std::string>>;

/// The text with {name} replaced, and {name#} by the number that begins its value ("3 dumps"); other braces stay.
std::string filled(std::string_view text, Values values);

/// Collects findings in the order in which they are made.
class Findings {
public:
    Findings();

    /// `path`: what the finding is about, and the value of {path}; empty: the environment.
    /// `severity`: when the case differs from the text's own severity.
    void add(std::string_view code, const std::string& path, Values values = {},
             std::optional<Severity> severity = std::nullopt);
    std::vector<DoctorFinding> take() { return std::move(findings_); }

private:
    std::map<std::string, FindingText, std::less<>> texts_;
    std::vector<DoctorFinding> findings_;
};

/// "1.5 GiB", for people.
std::string show_bytes(std::uint64_t bytes);
/// "3 min 20 s", for people; whole seconds.
std::string show_seconds(std::uint64_t seconds);

/// The value of a variable; nothing when the variable is not set or empty.
std::optional<std::string> value_of(const Environment& environment, std::string_view name);

/// Levels and files of logs, the mode of arithmetic; also whether the folder of the logs can be written.
void check_environment(const Environment& environment, Findings& findings);

/// INF/NaN or saturation mode, and whether overflow registers are read.
void check_arithmetic(const Environment& environment, Findings& findings);

/// Whether a folder, or the nearest one above it that is there, can be written and has room.
void check_room(const std::string& folder, Findings& findings);

/// A file of dump settings: acl.json, MindSpore's or msprobe's. Whether it is there.
bool check_settings(const std::string& file, const Limits& limits, Findings& findings);

/// Whether settings are msprobe's: task, or the sections and switches that only msprobe has.
bool is_msprobe(const nlohmann::json& settings);

/// Which verdicts msprobe's settings allow, and which settings msprobe refuses.
void check_msprobe(const std::string& file, const nlohmann::json& settings, Findings& findings);

struct NamedDump {
    std::string path;
    std::string real_name;  ///< by mapping.csv, of a file that is called by a number; empty: that of the path
    bool operator==(const NamedDump&) const = default;
    bool operator<(const NamedDump& other) const noexcept {
        return std::tie(path, real_name) < std::tie(other.path, other.real_name);
    }
};

/// What lies below a path.
struct Survey {
    std::vector<NamedDump> dumps;  ///< overflow dumps, in path order
    std::uint64_t op_dumps = 0;
    std::map<tree::FolderIdentity, std::uint64_t> op_dumps_in;            ///< the same by folder; of a folder only
    bool op_dump_by_content = false;                                      ///< a given file whose name does not say so
    std::vector<std::string> logs;                                        ///< in the order in which they were written
    std::vector<std::string> maps;                                        ///< saved ones, given themselves
    std::vector<std::string> api_dumps;                                   ///< in path order
    std::vector<std::string> debug_parents, run_parents, device_parents;  ///< folders that have such a folder; sorted
    /// By world size, the ranks that folders worldsize{N}_global_rank{R} name; by the folder above them.
    std::map<std::pair<std::string, std::uint64_t>, std::set<std::uint64_t>> ranks_of_world;
    tree::CountedPaths dangling;  ///< links that are named like overflow dumps
    bool read_wholly = true;      ///< else more may be there
};

/// Whether the content of a file is that of an API dump.
bool has_api_calls(const std::string& file);

/// Adds a file that was given itself, as what its name or else its content says; a finding when neither says anything.
void add_given_file(const std::string& file, const DoctorOptions& options, Survey& survey, Findings& findings);

/// Lists the path. What cannot be read is a finding.
Survey survey_of(const std::string& path, const DoctorOptions& options, Findings& findings);

/// Damage, layout, ranks, clocks and zones of dumps.
void check_dumps(const std::string& path, const Survey& survey, const DoctorOptions& options, Findings& findings);

/// From the first to the last time of some log lines, local microseconds.
struct LoggedTime {
    bool known = false;
    std::int64_t begin = 0, end = 0;
    void add(std::int64_t time) noexcept;
};

/// Whether lines of a log stand in what is looked at of a file, or it cannot be read.
bool may_be_log(const std::string& file);

/// Levels, folders and rotation of logs; the time that they cover.
LoggedTime check_logs(const std::string& path, const Survey& survey, const DoctorOptions& options, Findings& findings);

/// Whether saved maps can be read, and hold what names operators.
void check_maps(const Survey& survey, Findings& findings);

/// Whether the logs can be those of the dumps.
void check_coverage(const std::string& path, const std::vector<NamedDump>& dumps, const LoggedTime& logged,
                    Findings& findings);

/// "+08:00"
std::string show_zone(int minutes);

}  // namespace opdebug::doctor
