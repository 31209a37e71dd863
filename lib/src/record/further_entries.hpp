// What follows the first entry of an accelerator payload. That further entries stand there is inferred.
#pragma once

#include <cstddef>
#include <vector>

#include <opdebug/bytes.hpp>
#include <opdebug/record.hpp>
#include <opdebug/status.hpp>

#include "record/payload.hpp"

namespace opdebug::record {

/// Adds the entries from `position` on, where the first one ends, to `decoded`, which is not complete when one is cut
/// or may be missing. Where the last one ends.
std::size_t read_further_entries(Bytes payload, std::size_t position, const PayloadPlace& place,
                                 const StatusCatalogue& catalogue, DecodedPayload& decoded,
                                 std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::record
