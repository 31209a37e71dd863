// Output in pieces: gathers small texts and hands them to the sink of a report.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/scan_report.hpp>

namespace opdebug::report {

class SinkWriter {
public:
    explicit SinkWriter(const TextSink& sink) : sink_(sink) {}

    void write(std::string_view text) {
        buffer_ += text;
        if (buffer_.size() >= kPiece) {
            flush();
        }
    }

    /// Hands on what is left.
    void flush() {
        open_ = open_ && (buffer_.empty() || sink_(buffer_));
        buffer_.clear();
    }

    /// False once the sink wants no more; what is written then is dropped.
    bool is_open() const noexcept { return open_; }

private:
    static constexpr std::size_t kPiece = std::size_t{64} << 10U;

    const TextSink& sink_;
    std::string buffer_;
    bool open_ = true;
};

}  // namespace opdebug::report
