// A dump of lines that has none: its writer was ended before it wrote, as one that left half of a file.
#pragma once

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

inline void tell_empty(ApiFile& file) {
    file.complete = false;
    file.diagnostics.push_back({Severity::error, "api_dump_cut",
                                "the file is empty: no whole call was read. Its writer was ended; what came later is "
                                "not known"});
}

}  // namespace opdebug::api_dump
