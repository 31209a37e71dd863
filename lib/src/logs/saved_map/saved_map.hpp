// A saved map as it is read: its tables, and its lines in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/logs.hpp>
#include <opdebug/result.hpp>

#include "bytes/file.hpp"
#include "logs/saved_map/map_tables.hpp"

namespace opdebug::logs {

/// Whether a file that begins with these bytes is meant to be a saved map, of any version. 20 bytes are enough.
bool is_map_file(Bytes first_bytes) noexcept;
/// Looks at the first bytes of a file; false also when it cannot be read.
bool is_map_file(const std::string& path);

class SavedMap {
public:
    /// Errors: those of opening a file, and task_map_invalid.
    static Result<SavedMap> open(const std::string& path);
    /// The same for a map in memory.
    static Result<SavedMap> of_bytes(std::string bytes);

    const MapTables& tables() const noexcept { return tables_; }
    bool is_file() const noexcept { return file_ != nullptr; }
    const std::string& path() const noexcept { return path_; }

    Result<std::string> content(const FilePart& part) const;
    /// The lines that wanted tasks and addresses need next to the general ones, sorted.
    Result<std::vector<LineNumber>> lines_of(const WantedTasks& wanted) const;
    Error damaged(const std::string& what) const;

private:
    SavedMap() = default;
    std::optional<Error> read_header();
    Result<std::vector<std::uint8_t>> read(std::uint64_t offset, std::uint64_t size) const;
    std::optional<Error> find(std::vector<LineKey> keys, const std::vector<KeyPage>& pages,
                              std::vector<LineNumber>& lines) const;

    std::string path_;
    std::shared_ptr<const bytes::FileReader> file_;  ///< null: in memory
    std::string bytes_;
    std::uint64_t size_ = 0;
    MapTables tables_;
};

struct SavedLine {
    LineNumber number;
    std::string_view text;  ///< until the next line is read
};

/// The lines of frames in their order: all of them, or certain ones. The map must outlive this.
class FrameLines {
public:
    /// `selected`: sorted; nothing: all lines.
    FrameLines(const SavedMap& map, const std::vector<LineFrame>& frames,
               std::optional<std::vector<LineNumber>> selected = std::nullopt);

    /// Null after the last one, and where the map is damaged.
    const SavedLine* current() const noexcept { return current_ ? &*current_ : nullptr; }
    void advance();
    const std::optional<Error>& error() const noexcept { return error_; }

private:
    bool begin_frame();
    bool read_line();
    void fail();

    const SavedMap& map_;
    const std::vector<LineFrame>& frames_;
    std::optional<std::vector<LineNumber>> selected_;
    std::size_t next_selected_ = 0;
    std::size_t next_frame_ = 0;
    const LineFrame* frame_ = nullptr;
    std::string content_;
    std::string_view rest_;   ///< of the content
    std::size_t run_ = 0;     ///< of the frame's files
    std::uint64_t left_ = 0;  ///< lines of that file
    std::string line_begin_;  ///< of that file
    std::optional<SavedLine> current_;
    std::optional<Error> error_;
};

}  // namespace opdebug::logs
