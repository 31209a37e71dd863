// The accelerator payload: magic, version, then one entry per unit (AIC, AIV, AICPU or SDMA).
#pragma once

#include <string_view>

#include "record/payload.hpp"

namespace opdebug::record {

/// Codes of remarks on an entry that is cut, and on what looks like one where none is looked for. The first entry is
/// whole then.
inline constexpr std::string_view kEntryCut = "entry_cut", kEntryLeftOut = "entry_left_out";

/// Decodes the first entry, and what looks like further ones (marked inferred: no document states where they begin).
/// Errors: record_truncated, unit_unknown.
Result<DecodedPayload> decode_accelerator(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                          std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::record
