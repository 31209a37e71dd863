#include "api_dump/file_window.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bytes/passed_limit.hpp"

namespace opdebug::api_dump {
namespace {

constexpr std::size_t kUsualSize = std::size_t{64} << 10U;

}  // namespace

Result<FileWindow> FileWindow::open(const std::string& path, const ApiReadOptions& options) {
    Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return file.error();
    }
    return FileWindow(std::move(file).value(), path, options);
}

Error FileWindow::too_large(std::size_t bytes) const {
    Error error = bytes::limit_error(ErrorCode::call_too_large, fmt::format("a call has at least {} bytes", bytes),
                                     options_->limits, &Limits::call_bytes, offset_);
    error.file = path_;
    return error;
}

std::optional<Error> FileWindow::refuse_call(std::size_t bytes) const {
    return bytes > options_->limits.call_bytes ? std::optional<Error>(too_large(bytes)) : std::nullopt;
}

Result<bool> FileWindow::read_on() {
    if (options_->stop && options_->stop()) {
        return Error{ErrorCode::interrupted, "stopped before the file was read to its end", path_, std::nullopt};
    }
    if (last_ - first_ >= options_->limits.call_bytes) {
        return too_large(last_ - first_);
    }
    if (first_ != 0) {
        std::copy(buffer_.data() + first_, buffer_.data() + last_, buffer_.data());
        last_ -= first_;
        first_ = 0;
    }
    if (last_ == buffer_.size()) {
        buffer_.resize(std::max(kUsualSize, 2 * buffer_.size()));
    }
    const Result<std::size_t> got = file_.read(buffer_.data() + last_, buffer_.size() - last_);
    if (!got) {
        return got.error();
    }
    last_ += *got;
    return *got != 0;
}

}  // namespace opdebug::api_dump
