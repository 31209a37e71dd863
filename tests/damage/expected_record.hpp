// The records of a payload, read a second time from the offsets that docs/internals/formats.md states, as lines of
// text.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <opdebug/dump.hpp>

#include "expected_container.hpp"

namespace opdebug::damage {

struct ExpectedPayload {
    std::string fault;                   ///< the error's code when nothing of it can be decoded
    std::vector<std::string> records;    ///< as record_line() writes them
    std::multiset<std::string> remarks;  ///< codes
    bool overflow = false;
    bool missing = false;  ///< records that should be there are not
};

/// `payload`: the bytes that are there, of the `declared` ones.
ExpectedPayload expected_payload(const Buffer& payload, std::uint64_t declared);

/// "UNIT overflow=B inferred=B FIELD=N... status=N,N".
std::string record_line(const Record& record);

}  // namespace opdebug::damage
