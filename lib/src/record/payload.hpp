// Payload bytes → records.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

namespace opdebug::record {

/// Where the payload stands, for messages: its bytes may be fewer than the header declares.
struct PayloadPlace {
    std::uint64_t file_offset = 0;
    std::uint64_t declared_size = 0;
    /// Entries behind this many are not looked for. A legacy payload gives its three records whatever this is.
    std::uint64_t most_records = std::numeric_limits<std::uint64_t>::max();
};

/// Decodes a payload of either kind. Errors: payload_truncated, payload_size, magic_damaged, unit_unknown,
/// record_truncated. A cut legacy payload gives the units whose bytes are all there. Remarks are added to
/// `diagnostics`.
Result<DecodedPayload> decode_payload(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                      std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::record
