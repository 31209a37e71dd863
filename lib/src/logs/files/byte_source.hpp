// The bytes of a file, decompressed if needed. The first bytes of a file show what it is, not its name.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/result.hpp>

#include "bytes/file.hpp"

namespace opdebug::logs {

class ByteSource {
public:
    /// Errors: those of opening and reading a file; log_unreadable for archives and other packings (tar, zip, bzip2,
    /// xz, lz4, 7z, rar), which have to be unpacked first.
    static Result<ByteSource> open(const std::string& path);

    /// The first bytes (unpacked), at most 512: what kind of file this is. They are still to be read.
    std::string_view start() const noexcept { return start_; }

    /// Reads up to `count` bytes; 0 at the end of the file as it is then. All bytes before a fault come before its
    /// error: read_failed, or log_unreadable for damaged compressed data. After an error nothing more may be read.
    Result<std::size_t> read(char* buffer, std::size_t count);

    ByteSource(ByteSource&&) noexcept;
    ~ByteSource();

private:
    struct Unpacking;
    ByteSource(bytes::FileReader file, std::string start);
    void unpack_start();

    bytes::FileReader file_;
    std::unique_ptr<Unpacking> unpacking_;  ///< null: the file is plain
    std::string start_;
    std::size_t start_left_ = 0;  ///< bytes of it still to be read; none in a plain file, which is read from its begin
    std::optional<Error> start_failure_;
};

}  // namespace opdebug::logs
