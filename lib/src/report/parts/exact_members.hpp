// Members of the lines that partial reports have: texts come back byte for byte, and what is empty or unknown has none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

/// JSON has no bytes: what is not UTF-8 stands as {"hex": "..."}.
void write_exact(std::string_view text, JsonWriter& json);

/// Members that are not there are empty or unknown: there are millions of these lines.
void member_if_any(std::string_view name, std::string_view text, JsonWriter& json);
void member_if_known(std::string_view name, const std::optional<std::uint64_t>& number, JsonWriter& json);
void member_if_true(std::string_view name, bool truth, JsonWriter& json);

void write_texts(std::string_view name, const std::vector<std::string>& texts, JsonWriter& json);

/// The members "failures" and "diagnostics".
void write_exact_failures(const std::vector<Error>& failures, JsonWriter& json);
void write_exact_diagnostics(const std::vector<Diagnostic>& diagnostics, JsonWriter& json);

}  // namespace opdebug::report
