// Times as lines write them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "logs/text/line_time.hpp"

namespace opdebug::logs {

/// Writes time after time. Those of one second share what takes longest: its date.
class WrittenTimes {
public:
    static constexpr std::size_t kSize = LineTimes::kWithMicroseconds;

    /// Microseconds since 1970-01-01 as "YYYY-MM-DD-hh:mm:ss.mmm.uuu", the other way round than parse_line_time().
    /// False for a time that it reads from no text; then nothing is written. `text`: kSize bytes.
    bool write(std::int64_t time_us, char* text) noexcept;

private:
    static constexpr std::int64_t kNoSecond = -1;
    void begin_second(std::int64_t second) noexcept;

    std::array<char, 19> text_{};  ///< of the second
    std::int64_t second_ = kNoSecond;
};

}  // namespace opdebug::logs
