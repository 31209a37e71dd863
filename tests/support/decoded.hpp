// Dumps that a test expects to be sound.
#pragma once

#include <cstdint>

#include <doctest/doctest.h>

#include <opdebug/dump.hpp>

#include "dump_builder.hpp"
#include "outcome.hpp"

namespace opdebug::test {

/// The decoded dump; the test ends where it cannot be decoded.
inline Dump decode_ok(Bytes bytes) {
    const Result<Dump> dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    return *dump;
}
inline Dump decode_ok(const AcceleratorPayload& payload) {
    return decode_ok(build_overflow_dump(payload));
}

/// A payload with a counting entry, from 1000 on.
inline AcceleratorPayload one_entry(AccType type, std::uint32_t version = 0) {
    AcceleratorPayload payload;
    payload.version = version;
    payload.entries = {counting_entry(type, 1000, version)};
    return payload;
}

}  // namespace opdebug::test
