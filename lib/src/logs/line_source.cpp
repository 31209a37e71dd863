#include "logs/line_source.hpp"

#include <cstring>
#include <vector>

#include "bytes/file.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kBufferSize = 1U << 20U;

/// Hands on the whole lines of `text`; the rest behind the last line break is returned.
class LineSplitter {
public:
    explicit LineSplitter(const std::function<void(std::string_view, std::uint64_t)>& use) : use_(use) {}

    std::string_view take_whole_lines(std::string_view text) {
        while (!text.empty()) {
            const void* const found = std::memchr(text.data(), '\n', text.size());
            if (found == nullptr) {
                break;
            }
            const auto length = static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
            take(text.substr(0, length));
            text.remove_prefix(length + 1);
        }
        return text;
    }

    /// A line that fills the whole buffer: its first part counts, the rest up to the next break is dropped.
    void take_overlong(std::string_view line) {
        take(line);
        --lines_;
        dropping_ = true;
    }

    void take(std::string_view line) {
        ++lines_;
        if (!dropping_) {
            if (!line.empty() && line.back() == '\r') {
                line.remove_suffix(1);
            }
            use_(line, lines_);
        }
        dropping_ = false;
    }

    bool dropping() const noexcept { return dropping_; }
    std::uint64_t lines() const noexcept { return lines_; }

private:
    const std::function<void(std::string_view, std::uint64_t)>& use_;
    std::uint64_t lines_ = 0;
    bool dropping_ = false;
};

}  // namespace

Result<std::uint64_t> for_each_line(const std::string& path,
                                    const std::function<void(std::string_view, std::uint64_t)>& use) {
    Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return file.error();
    }
    LineSplitter splitter(use);
    std::vector<char> buffer(kBufferSize);
    std::size_t filled = 0;
    while (true) {
        const Result<std::size_t> got = file->read(buffer.data() + filled, buffer.size() - filled);
        if (!got) {
            return got.error();
        }
        if (*got == 0) {
            break;
        }
        filled += *got;
        const std::string_view rest = splitter.take_whole_lines({buffer.data(), filled});
        if (rest.size() == buffer.size() || (splitter.dropping() && !rest.empty())) {
            if (!splitter.dropping()) {
                splitter.take_overlong(rest);
            }
            filled = 0;
            continue;
        }
        std::memmove(buffer.data(), rest.data(), rest.size());
        filled = rest.size();
    }
    if (filled != 0 || splitter.dropping()) {
        splitter.take({buffer.data(), filled});
    }
    return splitter.lines();
}

}  // namespace opdebug::logs
