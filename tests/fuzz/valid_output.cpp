#include "valid_output.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

#include "build_paths.hpp"
#include "document_schema.hpp"
#include "require.hpp"

namespace opdebug::fuzz {
namespace {

const test::DocumentSchema& schema_named(const char* name) {
    static std::map<std::string, std::unique_ptr<const test::DocumentSchema>> schemas;
    auto& schema = schemas[name];
    if (!schema) {
        schema =
            std::make_unique<const test::DocumentSchema>(std::string(test::source_folder) + "/lib/data/schema", name);
    }
    return *schema;
}

/// The first byte of a C0 control other than a line break, of DEL or of a C1 control (U+0080 to U+009F in UTF-8).
std::size_t find_control(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<std::uint8_t>(text[i]);
        const bool is_c1 = byte == 0xC2 && i + 1 < text.size() && static_cast<std::uint8_t>(text[i + 1]) < 0xA0;
        if ((byte < 0x20 && byte != '\n') || byte == 0x7F || is_c1) {
            return i;
        }
    }
    return std::string_view::npos;
}

void require_no_control(std::string_view text) {
    const std::size_t place = find_control(text);
    require(place == std::string_view::npos, "no control character is written",
            place == std::string_view::npos ? std::string_view() : text.substr(place < 60 ? 0 : place - 60, 61));
}

}  // namespace

void require_valid_document(const char* schema, std::string_view document) {
    const std::string verdict = schema_named(schema).verdict(document);
    require(verdict.empty(), "a document follows its schema", verdict + "\n" + std::string(document));
    require_no_control(document);
}

void require_safe_text(std::string_view text) {
    require_no_control(text);
}

void require_sound_error(const Error& error, std::size_t input_size) {
    require(!error.message.empty(), "an error has a message");
    require(!error.offset || *error.offset <= input_size, "the place of an error lies in the input", error.message);
    require_valid_document("record", failure_to_json(error));
    require_safe_text(failure_to_text(error));
}

void require_refused_as(ErrorCode invalid, const Error& error) {
    const std::vector<LimitInfo> limits = known_limits();
    const bool limit = std::any_of(limits.begin(), limits.end(),
                                   [&error](const LimitInfo& known) { return known.code == to_string(error.code); });
    require(error.code == invalid || limit, "what is refused is called invalid, or passes a limit",
            to_string(error.code));
}

}  // namespace opdebug::fuzz
