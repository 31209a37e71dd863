// A converter's JSON → the bytes of the payload that it was made from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>
#include <opdebug/status.hpp>

namespace opdebug::dump_stage {

/// The payload with every byte that the JSON does not tell set to zero.
struct RebuiltPayload {
    std::vector<std::uint8_t> bytes;
    std::vector<Unit> missing;  ///< units of a legacy payload that the JSON does not hold
};

/// Accepts keys in any order, hex digits in either case, and "block_id" for "block_idx". Errors: converted_json_invalid
/// with the place in the document; nesting_too_deep, name_too_long.
Result<RebuiltPayload> rebuild_payload(std::string_view json, const Limits& limits = {});

}  // namespace opdebug::dump_stage
