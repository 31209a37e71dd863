// A short number for a long text: two texts with different ones differ.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace opdebug::bytes {

/// FNV-1a of 64 bits: it is to tell things apart that differ by chance, not to withstand anybody.
class Digest {
public:
    /// Adds a text and its end.
    void add(std::string_view text) {
        for (const char byte : text) {
            take(static_cast<unsigned char>(byte));
        }
        take(0x100);  // no byte
    }
    /// 16 hex digits.
    std::string text() const { return fmt::format("{:016x}", value_); }

private:
    void take(std::uint64_t byte) { value_ = (value_ ^ byte) * 0x100000001b3; }

    std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace opdebug::bytes
