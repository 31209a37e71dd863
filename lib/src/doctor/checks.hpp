// The checks of an examination, and their findings. The texts are in lib/data/doctor/findings.json.
#pragma once

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <opdebug/doctor.hpp>

#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/walk.hpp"

namespace opdebug::doctor {

/// The text of a finding in the data file; {names} are placeholders.
struct FindingText {
    Severity severity = Severity::info;
    LocalizedText message, setting, source;
};

using FindingTexts = std::map<std::string, FindingText, std::less<>>;

/// The texts of findings by code, and of checks without a fault by name.
struct DoctorTexts {
    FindingTexts findings, passed;
};

/// The texts of the data file, which a test checks.
DoctorTexts doctor_texts();

using Values = remarks::Fields;

/// Collects findings in the order of the checks.
class Findings {
public:
    /// The given path that is examined next.
    void begin(const std::string& subject) { subject_ = subject; }

    /// `path`: subject of the finding, and the value of {path}; empty: the environment. `severity`: set if it differs
    /// from that of the text.
    void add(std::string_view code, const std::string& path, Values values = {},
             std::optional<Severity> severity = std::nullopt);

    /// Adds a check without a fault.
    void pass(std::string_view check, const std::string& path, Values values = {});

    /// Number of warnings and errors so far.
    std::size_t faults() const noexcept;

    /// Moves findings and passed checks to the report.
    void move_to(DoctorReport& report);

private:
    DoctorTexts texts_ = doctor_texts();
    std::string subject_;
    std::vector<DoctorFinding> findings_, passed_;
};

/// "1.5 GiB".
std::string show_bytes(std::uint64_t bytes);

/// Checks levels and files of logs, the arithmetic mode, and whether the log folder is writable.
void check_environment(const Environment& environment, Findings& findings);

/// Checks that a folder, or its nearest existing parent, is writable and has disk space.
void check_room(const std::string& folder, Findings& findings);

/// Checks a file of dump settings: acl.json, MindSpore's, msprobe's or ATB's. Returns whether it exists.
bool check_settings(const std::string& file, const Limits& limits, Findings& findings);

/// Checks the variables that have rules. Empty values are not set.
void check_variables(const Environment& environment, Findings& findings);
std::vector<std::string> variables_with_rules();

/// The variables that name a file of dump settings.
std::vector<std::string> settings_variables();

struct NamedDump {
    std::string path;
    std::string real_name;  ///< in mapping.csv, if the file name is a number; otherwise empty
    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    auto operator<=>(const NamedDump&) const = default;
};

/// Files and folders below a path.
struct Survey {
    std::vector<NamedDump> dumps;  ///< overflow dumps, in path order
    std::uint64_t op_dumps = 0;
    std::uint64_t exception_dumps = 0;                                 ///< among op_dumps
    std::vector<std::string> logs;                                     ///< in the order of writing
    std::vector<std::string> maps;                                     ///< saved maps that the user named
    std::vector<std::string> api_dumps;                                ///< in path order
    std::set<std::string> debug_parents, run_parents, device_parents;  ///< folders with such a folder
    /// Ranks in folder names worldsize{N}_global_rank{R}, by parent folder and world size.
    std::map<std::pair<std::string, std::uint64_t>, std::set<std::uint64_t>> ranks_of_world;
    bool read_wholly = true;  ///< false: more files may exist
};

/// Whether the file is an API dump by content.
bool has_api_calls(const std::string& file);

/// Lists the path. Unreadable folders become findings.
Survey survey_of(const std::string& path, const DoctorOptions& options, Findings& findings);

/// Checks damage, layout and ranks of dumps.
void check_dumps(const std::string& path, const Survey& survey, const DoctorOptions& options, Findings& findings);

/// First and last time of some log lines, local microseconds.
struct LoggedTime {
    bool known = false;
    std::int64_t begin = 0, end = 0;
    void add(std::int64_t time) noexcept;
};

/// Whether the examined part of a file contains log lines, or the file is unreadable.
bool may_be_log(const std::string& file);

/// Checks levels, folders and rotation of logs. Returns the time that they cover.
LoggedTime check_logs(const std::string& path, const Survey& survey, const DoctorOptions& options, Findings& findings);

/// Checks that saved maps are readable and contain operators.
void check_maps(const Survey& survey, Findings& findings);

/// Checks whether the logs can belong to the dumps.
void check_coverage(const std::string& path, const std::vector<NamedDump>& dumps, const LoggedTime& logged,
                    Findings& findings);

// Rules for one value of dump settings, as rows of lib/data/doctor/settings.json write them.

/// The items of a list, or the value itself. Nothing for null.
nlohmann::json values_of(const nlohmann::json& value);

/// Whether a value is true in Python: not null, false, 0, "", [] or {}.
bool is_set(const nlohmann::json& value);

/// Whether a condition holds: "set", "list", a list of which the value has one, or {"contains": parts of texts}.
bool holds(const nlohmann::json& condition, const nlohmann::json& value);

/// What the row needs of the value of its member, if the value does not meet it. A row without a need: an empty text.
///
///   type: type in JSON         only: all values are among these    ranges: "3", "all", or "0-3|7"
///   set, unset: as is_set()    none: no value is one of these      begins: texts begin with this
///   count: number of values    any, all: one, or all, are there    characters: letters, digits and these
std::optional<LocalizedText> unmet_need(const nlohmann::json& row, const std::string& member,
                                        const nlohmann::json& value);

}  // namespace opdebug::doctor
