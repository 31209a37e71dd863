// The accelerator payload: magic, version, then one entry per unit (AIC, AIV, AICPU or SDMA).
#pragma once

#include "record/payload.hpp"

namespace opdebug::record {

/// Decodes the first entry, and what looks like further ones (marked inferred: no document states where they begin).
/// Errors: record_truncated, unit_unknown.
Result<DecodedPayload> decode_accelerator(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                          std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::record
