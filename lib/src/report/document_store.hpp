// Texts that are written once and read again in another order: in memory while they are few, else in a temporary file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/result.hpp>

namespace opdebug::report {

class DocumentStore {
public:
    struct Place {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
    };

    /// Texts beyond `memory_limit` bytes go to a file without a name in `folder`; it is gone with the store.
    explicit DocumentStore(std::string folder, std::uint64_t memory_limit = std::uint64_t{16} << 20U);
    ~DocumentStore();
    DocumentStore(DocumentStore&&) noexcept;
    DocumentStore& operator=(DocumentStore&&) noexcept;

    /// Error: write_failed (kept by the caller; the text is lost).
    Result<Place> add(std::string_view text);
    /// Error: read_failed.
    Result<std::string> text_at(const Place& place) const;

private:
    std::string folder_;
    std::uint64_t memory_limit_;
    std::string memory_;
    int file_ = -1;
    std::uint64_t file_size_ = 0;
};

}  // namespace opdebug::report
