// A 64-bit FNV-1a fingerprint.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace opdebug::bytes {

/// Detects accidental differences only; it is not cryptographic.
class Digest {
public:
    /// Adds a text and its end.
    void add(std::string_view text) {
        for (const char byte : text) {
            take(static_cast<unsigned char>(byte));
        }
        take(0x100);  // not a byte, so it ends the text
    }
    /// 16 hex digits.
    std::string text() const { return fmt::format("{:016x}", value_); }

private:
    void take(std::uint64_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

    std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace opdebug::bytes
