// The bytes of a file, unpacked where they are packed. What a file is, its first bytes say, not its name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <opdebug/result.hpp>

#include "bytes/file.hpp"
#include "logs/files/packed_file.hpp"

namespace opdebug::logs {

/// What was read before a fault, or the end of the file.
struct BytesRead {
    std::size_t count = 0;
    std::optional<Error> fault;  ///< behind them
};

/// A piece of a plain file that is still to be read, by any thread.
struct UnreadBytes {
    std::shared_ptr<const bytes::FileReader> file;
    std::uint64_t offset = 0;
    std::size_t size = 0;

    BytesRead read(char* buffer) const;
};

class ByteSource {
public:
    /// Errors: those of opening and reading a file; log_unreadable for archives and other packings (tar, zip, bzip2,
    /// xz, lz4, 7z, rar), which have to be unpacked first.
    static Result<ByteSource> open(const std::string& path);

    /// The first bytes (unpacked), at most 512: what kind of file this is. They are still to be read.
    std::string_view start() const noexcept { return start_; }

    /// Reads up to `count` bytes; 0 at the end of the file as it is then. All bytes before a fault are given before its
    /// error: read_failed, or log_unreadable for damaged packed data.
    Result<std::size_t> read(char* buffer, std::size_t count);

    /// Passes over at most `count` bytes, not many fewer, to the end of a line; what is next must be the start of one.
    /// Nothing where that end is not found at once: there read() helps.
    std::optional<UnreadBytes> skip_lines(std::size_t count);

private:
    using PlainFile = std::shared_ptr<const bytes::FileReader>;
    using Input = std::variant<PlainFile, PackedFile>;
    explicit ByteSource(Input input) : input_(std::move(input)) {}
    Result<std::size_t> read_input(char* buffer, std::size_t count);
    void read_start();

    Input input_;
    std::uint64_t offset_ = 0;  ///< in a plain file
    std::string start_;
    std::size_t start_given_ = 0;  ///< all of it in a plain file, which is read from its begin
    std::optional<Error> start_failure_;
};

}  // namespace opdebug::logs
