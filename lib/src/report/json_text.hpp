// Pieces that the JSON documents share.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <opdebug/report.hpp>

namespace opdebug::report {

using Json = nlohmann::ordered_json;

/// "0x1f": lower case, no padding.
std::string hex(std::uint64_t value);

/// The text of a document. Names come from files and logs: bytes that are not UTF-8 become U+FFFD, and hidden
/// characters (hidden_characters.hpp), which JSON would let through to a terminal, are escaped.
std::string write(const Json& document, const ReportOptions& options);

template <class T>
Json value_or_null(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// The record's fields in the order of its layout: ids as numbers, addresses as hex text.
void add_fields(const Record& record, Json& item);
Json diagnostic_to_json(const Diagnostic& diagnostic);
Json diagnostics_to_json(const std::vector<Diagnostic>& diagnostics);
/// Null for an empty text: unknown.
Json text_or_null(const std::string& text);
Json causes_to_json(const StatusExplanation& status, Language language);
/// One item of the status array.
Json explanation_to_json(const StatusExplanation& status, Language language);
/// Status words as they stand: one number or hex text, or a list of four.
Json words_to_json(const std::vector<std::uint64_t>& words);
Json words_to_hex_json(const std::vector<std::uint64_t>& words);

}  // namespace opdebug::report
