// A .gz or .zst file as its decompressed bytes, in little memory for any size.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include <opdebug/result.hpp>

namespace opdebug::logs {

enum class Packing { gzip, zstd };

/// Gzip with any number of members, Zstandard with any number of frames.
class PackedFile {
public:
    /// Errors: those of opening a file.
    static Result<PackedFile> open(const std::string& path, Packing packing);

    /// Reads up to `count` bytes; 0 at the end. All bytes before damage come before its error, which is log_unreadable;
    /// after an error nothing more may be read.
    Result<std::size_t> read(char* buffer, std::size_t count);

    PackedFile(PackedFile&&) noexcept;
    ~PackedFile();

private:
    struct Implementation;
    explicit PackedFile(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace opdebug::logs
