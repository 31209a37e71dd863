// What follows the first entry of an accelerator payload. That further entries stand there is inferred.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include <opdebug/bytes.hpp>
#include <opdebug/record.hpp>
#include <opdebug/status.hpp>

#include "record/payload.hpp"

namespace opdebug::record {

/// Codes of remarks on an entry that is cut, and on what looks like one where none is looked for. The first entry is
/// whole then.
inline constexpr std::string_view kEntryCut = "entry_cut", kEntryLeftOut = "entry_left_out";

/// Adds the entries from `position` on, where the first one ends, to `decoded`, which is not complete when one is cut
/// or may be missing. Where the last one ends.
std::size_t read_further_entries(Bytes payload, std::size_t position, const PayloadPlace& place,
                                 const StatusCatalogue& catalogue, DecodedPayload& decoded,
                                 std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::record
