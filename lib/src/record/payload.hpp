// Payload bytes → records.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

namespace opdebug::record {

/// Location of the payload, for messages. It may have fewer bytes than the header declares.
struct PayloadPlace {
    std::uint64_t file_offset = 0;
    std::uint64_t declared_size = 0;
    /// Maximum number of accelerator entries. Does not apply to the three records of a legacy payload.
    std::uint64_t most_records = std::numeric_limits<std::uint64_t>::max();
};

/// Decodes a payload of either kind. A truncated legacy payload yields its complete units. Adds remarks to
/// `diagnostics`. Errors: payload_truncated, payload_size, magic_damaged, unit_unknown, record_truncated.
Result<DecodedPayload> decode_payload(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                      std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::record
