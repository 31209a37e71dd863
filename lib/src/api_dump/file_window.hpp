// The part of a file that is being read: it is moved on over the file, and is wide enough for one call.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/api_dump.hpp>

#include "bytes/file.hpp"

namespace opdebug::api_dump {

class FileWindow {
public:
    static Result<FileWindow> open(const std::string& path, const ApiReadOptions& options);

    std::string_view text() const noexcept { return {buffer_.data() + first_, last_ - first_}; }

    /// Where text() begins in the file.
    std::uint64_t offset() const noexcept { return offset_; }

    /// Gives up the first bytes of text().
    void pass(std::size_t count) noexcept {
        first_ += count;
        offset_ += count;
    }

    /// Reads on. False at the end of the file. Errors: read_failed, interrupted, and call_too_large when the text is as
    /// long as that limit.
    Result<bool> read_on();

    /// The error call_too_large when a call, or a line, of that many bytes at the begin of text() passes the limit.
    std::optional<Error> refuse_call(std::size_t bytes) const;

    const bytes::FileReader& file() const noexcept { return file_; }

private:
    FileWindow(bytes::FileReader file, std::string path, const ApiReadOptions& options)
        : file_(std::move(file)), path_(std::move(path)), options_(&options) {}

    Error too_large(std::size_t bytes) const;

    bytes::FileReader file_;
    std::string path_;
    const ApiReadOptions* options_;
    std::vector<char> buffer_;
    std::size_t first_ = 0, last_ = 0;  ///< what of the buffer was read and not given up
    std::uint64_t offset_ = 0;
};

}  // namespace opdebug::api_dump
