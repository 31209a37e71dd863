#include "system/standard_streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "output/messages.hpp"
#include "system/interrupt.hpp"

namespace opdebug::tool {

// open() returns the lowest free number, so the three are opened in order.
void open_standard_streams() noexcept {
    constexpr const char* kNothing = "/dev/null";
    if (::fcntl(STDIN_FILENO, F_GETFD) < 0) {
        (void)!::open(kNothing, O_WRONLY);
    }
    if (::fcntl(STDOUT_FILENO, F_GETFD) < 0) {
        (void)!::open(kNothing, O_RDONLY);
    }
    if (::fcntl(STDERR_FILENO, F_GETFD) < 0) {
        (void)!::open(kNothing, O_WRONLY);
    }
}

namespace {

Error input_error(ErrorCode code, std::string message) {
    return {code, std::move(message), std::string(kStandardInput), std::nullopt};
}

/// Returns the number of bytes, 0 at the end. Waits in short intervals, because a signal between interrupted() and
/// read() would otherwise have no effect.
Result<std::size_t> read_what_is_there(void* buffer, std::size_t size) {
    constexpr int kMoment = 100;  // milliseconds
    while (!interrupted()) {
        pollfd input{STDIN_FILENO, POLLIN, 0};
        const int ready = ::poll(&input, 1, kMoment);
        if (ready == 0 || (ready < 0 && errno == EINTR)) {
            continue;
        }
        const ssize_t count = ::read(STDIN_FILENO, buffer, size);
        if (count >= 0) {
            return static_cast<std::size_t>(count);
        }
        if (errno != EINTR) {
            return input_error(ErrorCode::read_failed,
                               fmt::format("cannot read standard input: {}", std::strerror(errno)));
        }
    }
    return input_error(ErrorCode::interrupted, "standard input was not read to its end");
}

}  // namespace

// Stops at the limit: the input of a pipe may be endless.
Result<std::vector<std::uint8_t>> read_standard_input(const Limits& limits) {
    std::vector<std::uint8_t> content;
    std::array<std::uint8_t, 65536> chunk{};
    while (true) {
        const Result<std::size_t> count = read_what_is_there(chunk.data(), chunk.size());
        if (!count) {
            return count.error();
        }
        if (*count == 0) {
            return content;
        }
        content.insert(content.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(*count));
        if (content.size() > limits.file_bytes) {
            return input_error(ErrorCode::file_too_large,
                               fmt::format("standard input has more than {} bytes", limits.file_bytes));
        }
    }
}

Result<int> copy_of_standard_input(const std::string& folder) {
    std::string path = folder + "/opdebug.XXXXXX";
    const int file = ::mkostemp(path.data(), O_CLOEXEC);
    if (file < 0) {
        return Error{ErrorCode::write_failed, fmt::format("cannot create a temporary file: {}", std::strerror(errno)),
                     folder, std::nullopt};
    }
    ::unlink(path.c_str());
    std::array<char, 65536> chunk{};
    while (true) {
        const Result<std::size_t> count = read_what_is_there(chunk.data(), chunk.size());
        if (count && *count == 0) {
            return file;
        }
        if (count && write_fully(file, {chunk.data(), *count})) {
            continue;
        }
        const int number = errno;
        ::close(file);
        return !count ? count.error()
                      : Error{ErrorCode::write_failed,
                              fmt::format("cannot keep standard input in a temporary file: {}; free space there, or "
                                          "choose another folder with TMPDIR",
                                          std::strerror(number)),
                              folder, std::nullopt};
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
