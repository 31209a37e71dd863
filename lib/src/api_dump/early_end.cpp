#include "api_dump/early_end.hpp"

#include <string>

#include <fmt/format.h>

namespace opdebug::api_dump {

void tell_empty(ApiFile& file) {
    file.complete = false;
    file.diagnostics.push_back({Severity::error, "api_dump_cut",
                                "the file is empty: no whole call was read. Its writer was ended; what came later is "
                                "not known"});
}

std::optional<Error> end_at_limit(const Error& why, ApiFile& file) {
    const bool is_limit = why.code == ErrorCode::call_too_large || why.code == ErrorCode::nesting_too_deep;
    if (!is_limit || file.entries == 0) {
        return why;
    }
    file.complete = false;
    const std::string place = why.offset ? fmt::format("from byte {} on, ", *why.offset) : std::string();
    file.diagnostics.push_back(
        {Severity::error, std::string(to_string(why.code)),
         fmt::format("{}{}; calls in front of it that were read: {}; the rest of the file is left out", place,
                     why.message, file.entries)});
    return std::nullopt;
}

}  // namespace opdebug::api_dump
