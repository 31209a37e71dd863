// Parses a text into a JSON document of nlohmann_json, for small files: data of the library and of the user, options,
// converted dumps. The cursor parses large files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <opdebug/result.hpp>

namespace opdebug::json_stage {

/// The first fault of a document. Later faults are often only its consequences.
struct Fault {
    std::string place;  ///< JSON pointer, with the id of the entry if known
    std::string reason;
    std::string remedy;
    std::optional<ErrorCode> passed_limit;  ///< the fault is that this limit is exceeded
    bool found() const noexcept { return !reason.empty(); }
    void report(std::string_view where, std::string why, std::string what_to_do);
};

/// Parses a document. Returns null and sets a fault if the text is no JSON, no UTF-8 or has duplicate keys in an
/// object. The fault contains line and column; `offset`, if not null, receives the byte. Stops at exceeded limits
/// (nesting_too_deep, name_too_long): nested brackets need fifty times their size in memory.
nlohmann::json parse_document(const std::string& text, Fault& fault, std::optional<std::uint64_t>* offset = nullptr,
                              const Limits& limits = {});

/// Parses a data file that is part of the library and checked by its tests. One function for all files: each unit that
/// instantiates the parser of nlohmann_json compiles seconds longer.
nlohmann::json parse_data(std::string_view text);

}  // namespace opdebug::json_stage
