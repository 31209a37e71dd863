// The accelerator payload: magic, version, then one entry per unit (AIC, AIV, AICPU or SDMA).
#pragma once

#include <string_view>

#include "record/payload.hpp"

namespace opdebug::record {

/// Codes of remarks on a truncated entry, and on a possible entry at an unexpected location. The first entry is
/// complete then.
inline constexpr std::string_view kEntryCut = "entry_cut", kEntryLeftOut = "entry_left_out";

/// Decodes the first entry and possible later ones (marked inferred: no document states their location). Errors:
/// record_truncated, unit_unknown.
Result<DecodedPayload> decode_accelerator(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                          std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::record
