// Reads files with read(2): unlike with mmap, a shrinking file cannot raise SIGBUS.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::bytes {

/// A regular file, open for reading. The destructor closes it.
class FileReader {
public:
    /// Errors: file_not_found, permission_denied, is_directory, not_a_regular_file (a FIFO would block forever),
    /// read_failed. Follows links.
    static Result<FileReader> open(const std::string& path);

    FileReader(FileReader&& other) noexcept;
    FileReader& operator=(FileReader&&) = delete;
    ~FileReader();

    /// Reads up to `count` bytes; 0 at the end of the file. Interrupted calls are repeated. Error: read_failed.
    Result<std::size_t> read(void* buffer, std::size_t count);

    /// Up to `count` bytes at `offset`, fewer at the end of the file. Does not move read(). Error: read_failed.
    Result<std::vector<std::uint8_t>> read_at(std::uint64_t offset, std::size_t count) const;

    /// The same into memory of the caller. Returns the number of bytes.
    Result<std::size_t> read_at(std::uint64_t offset, void* buffer, std::size_t count) const;

    std::uint64_t size() const noexcept { return size_; }  ///< when it was opened; the file may change

private:
    FileReader(int descriptor, std::string path) : descriptor_(descriptor), path_(std::move(path)) {}

    int descriptor_;
    std::string path_;
    std::uint64_t size_ = 0;
    std::uint64_t position_ = 0;
};

/// The content of a file. Bytes that are appended meanwhile are not read. Errors: see FileReader; `too_large` if the
/// file exceeds that limit.
Result<std::vector<std::uint8_t>> read_file(const std::string& path, const Limits& limits,
                                            std::uint64_t Limits::*limit = &Limits::file_bytes,
                                            ErrorCode too_large = ErrorCode::file_too_large);

/// The start of a file, and the size of the whole file.
struct FileStart {
    std::vector<std::uint8_t> bytes;
    std::uint64_t file_size = 0;
};

/// The first `count` bytes, or all bytes of a shorter file. Errors: see FileReader.
Result<FileStart> read_file_start(const std::string& path, std::size_t count);

}  // namespace opdebug::bytes
