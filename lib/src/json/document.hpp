// A text → a JSON document of nlohmann_json, for small files: data of the library and of the user, options, converted
// dumps. Large ones are read with the cursor.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include <opdebug/result.hpp>

namespace opdebug::json_stage {

/// The first fault of a document. Later ones are often only its consequences, so they are not kept.
struct Fault {
    std::string place;  ///< JSON pointer, with the id of the entry when that is known
    std::string reason;
    std::string remedy;
    std::optional<ErrorCode> passed_limit;  ///< the code of the limit that the document passes, which is its fault
    bool found() const noexcept { return !reason.empty(); }
    void report(std::string_view where, std::string why, std::string what_to_do);
};

/// The document of a text; null and a fault when it is not JSON, not UTF-8 or has a key twice in one object. The fault
/// tells line and column; `offset`, when not null, receives the byte. Documents that pass a limit (nesting_too_deep,
/// name_too_long) are not read on: brackets inside one another take fifty times their size of memory.
nlohmann::json parse_document(const std::string& text, Fault& fault, std::optional<std::uint64_t>* offset = nullptr,
                              const Limits& limits = {});

/// The error of a data file with a fault: catalogue_invalid, "place: reason; remedy".
Error error_of(const Fault& fault, const std::string& file);

}  // namespace opdebug::json_stage
