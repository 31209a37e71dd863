// The bytes of a file, decompressed if needed. The first bytes of a file show what it is, not its name.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <opdebug/result.hpp>

#include "bytes/file.hpp"
#include "logs/files/packed_file.hpp"

namespace opdebug::logs {

class ByteSource {
public:
    /// Errors: those of opening and reading a file; log_unreadable for archives and other packings (tar, zip, bzip2,
    /// xz, lz4, 7z, rar), which have to be unpacked first.
    static Result<ByteSource> open(const std::string& path);

    /// The first bytes (unpacked), at most 512: what kind of file this is. They are still to be read.
    std::string_view start() const noexcept { return start_; }

    /// Reads up to `count` bytes; 0 at the end of the file as it is then. All bytes before a fault come before its
    /// error: read_failed, or log_unreadable for damaged compressed data.
    Result<std::size_t> read(char* buffer, std::size_t count);

private:
    using Input = std::variant<bytes::FileReader, PackedFile>;
    explicit ByteSource(Input input) : input_(std::move(input)) {}
    void read_start();

    Input input_;
    std::string start_;
    std::size_t start_given_ = 0;  ///< all of it in a plain file, which is read from its begin
    std::optional<Error> start_failure_;
};

}  // namespace opdebug::logs
