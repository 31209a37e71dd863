// The legacy payload: 2048 bytes with the records of DHA Atomic Add, L2 Atomic Add and AI Core.
#pragma once

#include "record/payload.hpp"

namespace opdebug::record {

/// Decodes the units whose bytes are all in `payload` (at most 2048 bytes). Error: payload_truncated when there is
/// none.
Result<DecodedPayload> decode_legacy(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                     std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::record
