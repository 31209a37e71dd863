// The text of a dump: the part of the file that is in memory, its lines, and the cells of CSV lines.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::api_dump {

/// The part of a file that is in memory: it moves over the file, and is wide enough for one call.
class FileWindow {
public:
    /// As bytes::FileReader::read().
    using Source = std::function<Result<std::size_t>(char* buffer, std::size_t count)>;

    static Result<FileWindow> open(const std::string& path, const ApiReadOptions& options);

    /// `options` must outlive the window.
    FileWindow(Source source, std::string path, const ApiReadOptions& options)
        : source_(std::move(source)), path_(std::move(path)), options_(&options) {}

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

    /// Whether nothing was read so far.
    bool is_empty() const noexcept { return offset_ == 0 && last_ == first_; }

private:
    Error too_large(std::size_t bytes) const;

    Source source_;
    std::string path_;
    const ApiReadOptions* options_;
    std::vector<char> buffer_;
    std::size_t first_ = 0, last_ = 0;  ///< what of the buffer was read and not given up
    std::uint64_t offset_ = 0;
};

/// A dump of lines without a byte: its writer was ended before it wrote, as one that left half of a file.
void report_empty(ApiFile& file);

/// A call or a line that passes a limit costs itself and the rest, as a damaged one does. The error comes back where it
/// is no such limit, or no call was read in front of it.
std::optional<Error> end_at_limit(const Error& why, ApiFile& file);

struct Line {
    std::string_view
        text;  ///< without its end and a byte order mark of the file; valid until the next line is asked for
    std::uint64_t number = 0;
    bool has_end = true;  ///< false: the file ends in it
};

/// Where a line ends. outside_quotes: a cell in quotation marks may hold line breaks, as in CSV files.
enum class LineEnd { at_break, outside_quotes };

class LineReader {
public:
    explicit LineReader(FileWindow& window, LineEnd line_end = LineEnd::at_break)
        : window_(window), line_end_(line_end) {}

    /// The next line; nothing at the end of the file. Errors: as FileWindow::read_on().
    Result<std::optional<Line>> next();

private:
    FileWindow& window_;
    LineEnd line_end_;
    std::size_t used_ = 0;      ///< bytes of the line that was given last
    std::uint64_t number_ = 0;  ///< of the last line break
};

/// The cells of a row without quotation marks and blanks around them. Commas inside of quotation marks and brackets
/// belong to the cell: shapes have them.
std::vector<std::string_view> csv_cells(std::string_view row);

/// Which cell is which, by the names in the first row.
class CsvColumns {
public:
    /// `header`: "Op Type,Op Name,...".
    explicit CsvColumns(std::string_view header);

    /// The cell of that column; empty where the row or the file has none. `name`: in small letters without blanks.
    std::string_view cell(const std::vector<std::string_view>& cells, std::string_view name) const;
    bool has(std::string_view name) const { return place(name) != names_.size(); }

    /// The index of that column, from 0; size() where the file has none.
    std::size_t place(std::string_view name) const;
    std::size_t size() const noexcept { return names_.size(); }

private:
    std::vector<std::string> names_;
};

}  // namespace opdebug::api_dump
