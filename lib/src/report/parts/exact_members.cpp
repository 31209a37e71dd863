#include "report/parts/exact_members.hpp"

#include "bytes/utf8.hpp"
#include "report/text/numbers_and_times.hpp"

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
    members.text("message_zh", diagnostic.message_zh);
    return diagnostic;
}

void write_exact(std::string_view text, JsonWriter& json) {
    if (bytes::is_utf8(text)) {
        json.value(text);
        return;
    }
    json.begin_object();
    json.member("hex", hex_of_bytes(text));
    json.end_object();
}

void member_if_any(std::string_view name, std::string_view text, JsonWriter& json) {
    if (!text.empty()) {
        json.key(name);
        write_exact(text, json);
    }
}

void member_if_known(std::string_view name, const std::optional<std::uint64_t>& number, JsonWriter& json) {
    if (number) {
        json.member(name, *number);
    }
}

void member_if_true(std::string_view name, bool truth, JsonWriter& json) {
    if (truth) {
        json.member(name, truth);
    }
}

void write_texts(std::string_view name, const std::vector<std::string>& texts, JsonWriter& json) {
    json.begin_array(name);
    for (const std::string& text : texts) {
        write_exact(text, json);
    }
    json.end_array();
}

void write_exact_failures(const std::vector<Error>& failures, JsonWriter& json) {
    json.begin_array("failures");
    for (const Error& failure : failures) {
        json.begin_object();
        json.member("code", to_string(failure.code));
        json.key("message");
        write_exact(failure.message, json);
        json.key("file");
        write_exact(failure.file, json);
        member_if_known("offset", failure.offset, json);
        json.end_object();
    }
    json.end_array();
}

void write_exact_diagnostics(const std::vector<Diagnostic>& diagnostics, JsonWriter& json) {
    json.begin_array("diagnostics");
    for (const Diagnostic& diagnostic : diagnostics) {
        json.begin_object();
        json.member("severity", to_string(diagnostic.severity));
        json.member("code", diagnostic.code);
        json.key("message");
        write_exact(diagnostic.message, json);
        member_if_any("message_zh", diagnostic.message_zh, json);
        json.end_object();
    }
    json.end_array();
}

}  // namespace opdebug::report
