// Dumps that a test expects to be sound.
#pragma once

#include <doctest/doctest.h>

#include <opdebug/dump.hpp>

#include "outcome.hpp"

namespace opdebug::test {

/// The decoded dump; the test ends where it cannot be decoded.
inline Dump decode_ok(Bytes bytes) {
    const Result<Dump> dump = decode(bytes);
    REQUIRE(outcome(dump) == "ok");
    return *dump;
}

}  // namespace opdebug::test
