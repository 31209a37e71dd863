#include "system/standard_input.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "output/counted.hpp"
#include "system/interrupt.hpp"

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
                               "standard input has more than " + counted(limits.file_bytes, "byte"));
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
    for (ssize_t count = 1; count != 0;) {
        count = ::read(STDIN_FILENO, chunk.data(), chunk.size());
        if (count < 0 && (errno != EINTR || interrupted())) {
            const int number = errno;
            ::close(file);
            return interrupted() ? input_error(ErrorCode::interrupted, "standard input was not read to its end")
                                 : input_error(ErrorCode::read_failed,
                                               fmt::format("cannot read standard input: {}", std::strerror(number)));
        }
        for (ssize_t done = 0; done < count;) {
            const ssize_t written = ::write(file, chunk.data() + done, static_cast<std::size_t>(count - done));
            if (written < 0 && errno != EINTR) {
                const int number = errno;
                ::close(file);
                return Error{ErrorCode::write_failed,
                             fmt::format("cannot keep standard input in a temporary file: {}; free space there, or "
                                         "choose another folder with TMPDIR",
                                         std::strerror(number)),
                             folder, std::nullopt};
            }
            done += written < 0 ? 0 : written;
        }
        count = count < 0 ? 1 : count;
    }
    return file;
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
