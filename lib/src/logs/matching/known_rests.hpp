// What stands between the time and the text of a line: "[context.cc:12] 5103 SubmitTask: ". The lines of a place in the
// source repeat it: it is compared with what an earlier line had instead of being taken apart.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "logs/text/line.hpp"

namespace opdebug::logs {

class KnownRests {
public:
    /// Does what complete_line() does, in a sixth of the instructions where the rest is known.
    void complete(LogLine& line);

private:
    /// A rest up to the colon behind the function. Only such are kept of which every byte behind cannot change how they
    /// are read: with a file and a function, and all else before it.
    struct Rest {
        std::array<char, 96> bytes{};
        std::size_t size = 0;  ///< 0: none
        std::size_t function = 0, function_size = 0;
        std::size_t thread = 0, thread_size = 0;
        std::optional<std::int64_t> tid;
    };
    static constexpr std::size_t kMost = 256;

    void learn(std::string_view rest, const LogLine& line, Rest& known) const noexcept;

    std::array<Rest, kMost> rests_;
};

}  // namespace opdebug::logs
