#include "report/parts/exact_members.hpp"

#include "bytes/utf8.hpp"
#include "report/text/hex.hpp"

namespace opdebug::report {

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
        json.end_object();
    }
    json.end_array();
}

}  // namespace opdebug::report
