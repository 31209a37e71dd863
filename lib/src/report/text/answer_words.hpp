// What pages for people state about an answer: the operator, how sure it is, why it is unknown, and causes in short.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

namespace opdebug::report {

/// "name (type)"; the kernel where there is no name. Empty: neither is known, and a kernel that is only a hash names
/// nothing.
std::string operator_text(const OperatorAnswer& answer);

/// "exact: 3 log lines", "kernel name only", "likeliest of 2 candidates: …". `location` has an operator.
std::string confidence_text(const Location& location, Language language);

/// Why the operator is unknown, and the one thing to do.
struct UnknownOperator {
    std::string_view code;  ///< of the diagnostic that gives the reason; empty: none does
    std::string reason, next;
};
UnknownOperator why_unknown(const Dump& dump, const Location& location, Language language);

/// The list with the statistics of the operator's inputs, where its values were not dumped; empty: none.
std::string statistics_of_inputs(const Location& location);

/// "Were the inputs bad already? …" with the command that shows it.
std::string read_statistics(const std::string& file, Language language);

/// What a cause means, and what to do about it, in one line.
std::string meaning_of(const CauseDefinition& cause, Language language);
std::string next_of(const CauseDefinition& cause, Language language);

/// "float, fp16": a cause's id without what most have in common.
std::string short_cause(std::string_view id);

/// Bits, name and meaning of each cause, a row for each; with `verbose` what the catalogue states of it.
std::string causes_text(const StatusExplanation& status, const ReportOptions& options);

/// What to do, numbered below a heading; empty without steps.
std::string next_steps_text(const std::vector<std::string>& steps, const ReportOptions& options);

/// Records of one unit with one status: the cores of a chip mostly agree.
struct UnitStatus {
    const Record* record = nullptr;
    std::uint64_t count = 0;
    std::vector<std::uint64_t> cores;
};

std::vector<UnitStatus> overflowed_units(const Dump& dump);

/// "0x20, 0x8"
std::string hex_words(const std::vector<std::uint64_t>& words);

}  // namespace opdebug::report
