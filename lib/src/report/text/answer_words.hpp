// What pages for people state about an answer: the operator, how sure it is, why it is unknown, and causes in short.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/status.hpp>

namespace opdebug::report {

/// "name (type)"; the kernel where there is no name. Empty: neither is known, and a kernel that is only a hash names
/// nothing.
std::string operator_text(const OperatorAnswer& answer);

/// "exact: 3 log lines", "kernel name only", "2 candidates".
std::string confidence_text(const LocatedOperator& located, Language language);

/// Why the operator is unknown, and the one thing to do.
struct UnknownOperator {
    std::string_view code;  ///< of the diagnostic that gives the reason; empty: none does
    std::string reason, next;
};
UnknownOperator why_unknown(const Dump& dump, const Location& location, Language language);

/// What a cause means, and what to do about it, in one line.
std::string meaning_of(const CauseDefinition& cause, Language language);
std::string next_of(const CauseDefinition& cause, Language language);

}  // namespace opdebug::report
