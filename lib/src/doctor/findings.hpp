// The findings of an examination, with the words of lib/data/doctor/findings.json.
#pragma once

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/doctor.hpp>

namespace opdebug::doctor {

/// A finding as the data file words it; {names} stand for values.
struct FindingText {
    Severity severity = Severity::info;
    std::string message, setting, source;
};

/// The texts by code. Error: definition file that is not sound, which the tests of the library rule out.
Result<std::map<std::string, FindingText, std::less<>>> read_finding_texts(const std::string& name,
                                                                           const std::string& text);

using Values = std::initializer_list<std::pair<std::string_view, std::string>>;

/// The text with {name} replaced; braces around other words stay.
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

}  // namespace opdebug::doctor
