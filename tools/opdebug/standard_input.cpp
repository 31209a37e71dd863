#include "standard_input.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "interrupt.hpp"

namespace opdebug::tool {
namespace {

Error input_error(ErrorCode code, std::string message) {
    return {code, std::move(message), std::string(kStandardInput), std::nullopt};
}

}  // namespace

// Stops reading at the limit: what feeds a pipe may never end.
Result<std::vector<std::uint8_t>> read_standard_input(const Limits& limits) {
    std::vector<std::uint8_t> content;
    std::array<std::uint8_t, 65536> chunk{};
    while (true) {
        const ssize_t count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
        if (count == 0) {
            return content;
        }
        if (count < 0 && errno == EINTR && interrupted()) {
            return input_error(ErrorCode::interrupted, "standard input was not read to its end");
        }
        if (count < 0 && errno != EINTR) {
            return input_error(ErrorCode::read_failed,
                               fmt::format("cannot read standard input: {}", std::strerror(errno)));
        }
        content.insert(content.end(), chunk.begin(), chunk.begin() + (count < 0 ? 0 : count));
        if (content.size() > limits.file_bytes) {
            return input_error(ErrorCode::file_too_large,
                               fmt::format("standard input has more than {} bytes", limits.file_bytes));
        }
    }
}

Result<Dump> decode_standard_input(const Limits& limits) {
    const Result<std::vector<std::uint8_t>> content = read_standard_input(limits);
    if (!content && content.error().code == ErrorCode::file_too_large) {
        return input_error(ErrorCode::file_too_large,
                           fmt::format("standard input has more bytes than the limit file_bytes, which is {} (to raise "
                                       "it: --limit file_bytes=NUMBER); an overflow dump has about 2 KB, so this is "
                                       "something else",
                                       limits.file_bytes));
    }
    if (!content) {
        return content.error();
    }
    DecodeOptions options;
    options.file = kStandardInput;
    options.limits = limits;
    return decode(*content, options);
}

}  // namespace opdebug::tool
