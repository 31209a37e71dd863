#include "report/json/json_members.hpp"

namespace opdebug::report {
namespace {

constexpr std::array kSeverities{Severity::info, Severity::warning, Severity::error};

}  // namespace

json parsed_line(std::string_view line) {
    return json::parse(line.begin(), line.end(), nullptr, false);
}

Error read_failure(const json& object, bool& sound) {
    const Members members(object, sound);
    Error failure;
    std::string code;
    members.text("code", code);
    // A newer program may know codes that this one does not: the message stands all the same.
    for (int i = 0; i <= static_cast<int>(ErrorCode::internal_error); ++i) {
        if (to_string(static_cast<ErrorCode>(i)) == code) {
            failure.code = static_cast<ErrorCode>(i);
        }
    }
    members.text("message", failure.message);
    members.text("file", failure.file);
    members.number("offset", failure.offset);
    return failure;
}

Diagnostic read_diagnostic(const json& object, bool& sound) {
    const Members members(object, sound);
    Diagnostic diagnostic;
    members.word("severity", kSeverities, diagnostic.severity);
    members.text("code", diagnostic.code);
    members.text("message", diagnostic.message);
    return diagnostic;
}

}  // namespace opdebug::report
