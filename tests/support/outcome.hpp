// Short functions with which tests examine a decoded dump.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/dump.hpp>

namespace opdebug::test {

/// "ok", or the stable name of the error.
template <class T>
std::string outcome(const Result<T>& result) {
    return result.ok() ? "ok" : std::string(to_string(result.error().code));
}

/// The first diagnostic with that code; null when there is none.
inline const Diagnostic* diagnostic(const Dump& dump, std::string_view code) {
    for (const Diagnostic& item : dump.diagnostics) {
        if (item.code == code) {
            return &item;
        }
    }
    return nullptr;
}

/// "warning", "info", "error"; "none" when there is no diagnostic with that code.
inline std::string severity_of(const Dump& dump, std::string_view code) {
    const Diagnostic* found = diagnostic(dump, code);
    return found == nullptr ? "none" : std::string(to_string(found->severity));
}

/// The record of that unit in one payload; null when it is not there.
inline const Record* record_of(const DecodedPayload& payload, Unit unit) {
    for (const Record& record : payload.records) {
        if (record.unit == unit) {
            return &record;
        }
    }
    return nullptr;
}

}  // namespace opdebug::test
