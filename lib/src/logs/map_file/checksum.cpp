#include "logs/map_file/checksum.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace opdebug::logs::map_file {
namespace {

constexpr std::uint32_t kPolynomial = 0xEDB88320;  ///< of CRC-32, bits the other way round
constexpr std::size_t kAtOnce = 8;                 ///< bytes

using Table = std::array<std::uint32_t, 256>;

/// The n-th table: what a byte adds to the remainder when n further ones follow it.
constexpr std::array<Table, kAtOnce> make_tables() {
    std::array<Table, kAtOnce> tables{};
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
        std::uint32_t remainder = byte;
        for (int bit = 0; bit < 8; ++bit) {
            remainder = (remainder >> 1U) ^ ((remainder & 1U) != 0 ? kPolynomial : 0);
        }
        tables[0][byte] = remainder;
    }
    for (std::size_t n = 1; n < kAtOnce; ++n) {
        for (std::size_t byte = 0; byte < 256; ++byte) {
            const std::uint32_t before = tables[n - 1][byte];
            tables[n][byte] = (before >> 8U) ^ tables[0][before & 0xFFU];
        }
    }
    return tables;
}

constexpr std::array<Table, kAtOnce> kTables = make_tables();

}  // namespace

/// Eight bytes at a time, whose looks into the tables do not wait for each other. Byte by byte (Boost.CRC) it was 3 %
/// of making a map.
std::uint32_t checksum_of(Bytes bytes) noexcept {
    std::uint32_t remainder = 0xFFFFFFFF;
    const std::uint8_t* next = bytes.data();
    std::size_t left = bytes.size();
    for (; left >= kAtOnce; left -= kAtOnce, next += kAtOnce) {
        const std::uint32_t first = remainder ^ (std::uint32_t{next[0]} | std::uint32_t{next[1]} << 8U |
                                                 std::uint32_t{next[2]} << 16U | std::uint32_t{next[3]} << 24U);
        remainder = kTables[7][first & 0xFFU] ^ kTables[6][first >> 8U & 0xFFU] ^ kTables[5][first >> 16U & 0xFFU] ^
                    kTables[4][first >> 24U] ^ kTables[3][next[4]] ^ kTables[2][next[5]] ^ kTables[1][next[6]] ^
                    kTables[0][next[7]];
    }
    for (; left > 0; --left, ++next) {
        remainder = (remainder >> 8U) ^ kTables[0][(remainder ^ *next) & 0xFFU];
    }
    return ~remainder;
}

}  // namespace opdebug::logs::map_file
