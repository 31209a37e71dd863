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

    /// Texts beyond `memory_limit` bytes go to a file without a name in `folder`; it is gone with the store. They are
    /// written many at once: a sixty-fourth of the limit more is held for that.
    explicit DocumentStore(std::string folder, std::uint64_t memory_limit = std::uint64_t{16} << 20U);
    ~DocumentStore();
    DocumentStore(DocumentStore&&) noexcept;
    DocumentStore& operator=(DocumentStore&&) noexcept;

    /// Error: write_failed (kept by the caller; the text is lost, others are not).
    Result<Place> add(std::string_view text);
    /// Error: read_failed.
    Result<std::string> text_at(const Place& place) const;

private:
    friend class DocumentReader;

    std::optional<Error> write_waiting();
    std::uint64_t file_begin() const noexcept { return memory_.size(); }
    std::uint64_t file_end() const noexcept { return file_begin() + file_size_; }
    std::optional<std::string_view> in_memory(const Place& place) const;
    std::optional<Error> read_file(std::uint64_t offset, std::string& text) const;

    // Offsets count through the memory first, then through the file.
    std::string memory_;
    std::uint64_t file_size_ = 0;
    std::string waiting_;  ///< to be written to the file

    std::string folder_;
    std::uint64_t memory_limit_;
    int file_ = -1;
};

/// Reads the texts of a store one after the other, several at once where the caller names those requested next.
class DocumentReader {
public:
    explicit DocumentReader(const DocumentStore& store) : store_(store) {}

    /// Whether text_at() gives it without reading the file.
    bool has(const DocumentStore::Place& place) const;

    /// The text, until the next call. Error: read_failed.
    Result<std::string_view> text_at(const DocumentStore::Place& place) { return text_at(place, place); }
    /// The same. What is read for it reaches over `around`, as far as there is something in the file.
    Result<std::string_view> text_at(const DocumentStore::Place& place, const DocumentStore::Place& around);

private:
    bool is_read(const DocumentStore::Place& place) const noexcept;

    const DocumentStore& store_;
    std::string piece_;  ///< of the file
    std::uint64_t begin_ = 0;
};

}  // namespace opdebug::report
