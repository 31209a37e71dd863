// Pieces that the JSON documents share. Each writes one value, or some members of an object.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <opdebug/report.hpp>

#include "report/json/json_writer.hpp"
#include "report/text/hex.hpp"

namespace opdebug::report {

/// The record's fields in the order of its layout, as members: ids as numbers, addresses as hex text.
void write_fields(const Record& record, JsonWriter& json);
void write_diagnostic(const Diagnostic& diagnostic, JsonWriter& json);
void write_diagnostics(const std::vector<Diagnostic>& diagnostics, JsonWriter& json);
/// A member that is null for an empty text: unknown.
void write_text_or_null(std::string_view name, const std::string& text, JsonWriter& json);
void write_causes(const StatusExplanation& status, Language language, JsonWriter& json);
/// Status words as they stand: one number or hex text, or a list of four.
void write_words(const std::vector<std::uint64_t>& words, JsonWriter& json);
void write_hex_words(const std::vector<std::uint64_t>& words, JsonWriter& json);

}  // namespace opdebug::report
