// Texts that are written once and read again in another order: in memory while they are few, else in a temporary file.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <opdebug/result.hpp>

namespace opdebug::report {

class DocumentStore {
public:
    struct Span {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
    };

    /// Texts beyond `memory_limit` bytes go to a file without a name in `folder`; it is gone with the store.
    explicit DocumentStore(std::string folder, std::uint64_t memory_limit = std::uint64_t{16} << 20U)
        : folder_(std::move(folder)), memory_limit_(memory_limit) {}

    /// Error: write_failed (kept by the caller; the text is lost, others are not).
    Result<Span> add(std::string_view text);
    /// The text, valid as long as the store and `buffer`, and until the next add(). Error: read_failed.
    Result<std::string_view> text_at(const Span& span, std::string& buffer) const;

private:
    struct CloseFile {
        void operator()(const int* file) const noexcept;
    };

    std::string folder_;
    std::uint64_t memory_limit_;
    std::string memory_;  ///< offsets count through the memory first, then through the file
    std::unique_ptr<const int, CloseFile> file_;
    std::uint64_t file_size_ = 0;
};

}  // namespace opdebug::report
