// Sound overflow dumps of every kind: container, payload, version, unit, several outputs, several dumps in one file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "wire.hpp"

namespace opdebug::damage {

constexpr std::uint64_t kTime = 1694385648123456;  ///< of their headers

struct SoundDump {
    std::string name;
    test::Buffer bytes;
    std::string file;                    ///< file name; empty: decoded from memory
    std::vector<test::Buffer> payloads;  ///< in the order of the bytes
    std::vector<std::size_t> begins;     ///< of each dump in the file, with the bytes after it
};

std::vector<SoundDump> sound_dumps();

}  // namespace opdebug::damage
