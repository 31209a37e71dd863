// The text of a file of any length, with memory for one step: a window, its lines, and JSON parsed in steps. Dumps, the
// files next to them, traces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

#include "json/cursor.hpp"

namespace opdebug::api_dump {

/// The part of a file in memory. It moves over the file and can contain one call.
class FileWindow {
public:
    /// See bytes::FileReader::read().
    using Source = std::function<Result<std::size_t>(char* buffer, std::size_t count)>;

    static Result<FileWindow> open(const std::string& path, const ApiReadOptions& options);

    /// `options` must outlive the window.
    FileWindow(Source source, std::string path, const ApiReadOptions& options)
        : source_(std::move(source)), path_(std::move(path)), options_(&options) {}

    std::string_view text() const noexcept { return {buffer_.data() + first_, last_ - first_}; }

    /// Location of text() in the file.
    std::uint64_t offset() const noexcept { return offset_; }

    /// Drops the first bytes of text().
    void pass(std::size_t count) noexcept {
        first_ += count;
        offset_ += count;
    }

    /// Reads more of the file. Returns false at the end of the file. Errors: read_failed, interrupted; call_too_large
    /// if the text reaches that limit.
    Result<bool> read_on();

    /// The error call_too_large, if a call or line of that many bytes at the start of text() exceeds the limit.
    std::optional<Error> refuse_call(std::size_t bytes) const;

    /// Whether nothing was read so far.
    bool is_empty() const noexcept { return offset_ == 0 && last_ == first_; }

private:
    Error too_large(std::size_t bytes) const;

    Source source_;
    std::string path_;
    const ApiReadOptions* options_;
    std::vector<char> buffer_;
    std::size_t first_ = 0, last_ = 0;  ///< the used part of the buffer
    std::uint64_t offset_ = 0;
};

/// Ends a file at a call or line that exceeds a limit, as at a damaged one. Returns the error if it is no such limit,
/// or if no call was read before it.
std::optional<Error> end_at_limit(const Error& why, ApiFile& file);

struct Line {
    std::string_view text;  ///< without line break and byte order mark; valid until the next call of next()
    std::uint64_t number = 0;
    bool has_end = true;  ///< false: the file ends inside the line
};

/// End of a line. outside_quotes: quoted cells may contain line breaks, as in CSV files.
enum class LineEnd { at_break, outside_quotes };

class LineReader {
public:
    explicit LineReader(FileWindow& window, LineEnd line_end = LineEnd::at_break)
        : window_(window), line_end_(line_end) {}

    /// The next line; empty at the end of the file. Errors: see FileWindow::read_on().
    Result<std::optional<Line>> next();

private:
    FileWindow& window_;
    LineEnd line_end_;
    std::size_t used_ = 0;      ///< bytes of the last line
    std::uint64_t number_ = 0;  ///< number of the last line
};

/// A dump of lines, and the ids of the remarks on it.
struct LinesOfDump {
    LineEnd line_end = LineEnd::at_break;
    std::string_view blanks;  ///< a line of only these is skipped
    std::string_view cut, damaged, no_calls;
};

/// Reads the lines of `file.file`, and adds remarks on its damage. `use` returns false for a damaged line; its errors
/// end the file. `finish` is called after the last line. Returns the number of damaged lines, without an incomplete
/// last one. Errors: those of reading.
Result<std::uint64_t> read_lines(const LinesOfDump& format, const ApiReadOptions& options, ApiFile& file,
                                 const std::function<Result<bool>(const Line&)>& use,
                                 const std::function<void()>& finish);

/// Location and reason of the end of a stream.
struct StreamEnd {
    bool is_closed = false;                                  ///< the outer object or list is
    json_stage::JsonStop stop = json_stage::JsonStop::none;  ///< otherwise the reason; end: end of the file
    std::size_t position = 0;                                ///< in the text of the window
};

/// Whether only white space is left. Otherwise the window begins at the other text. Errors: see FileWindow::read_on().
Result<bool> is_end_of_file(FileWindow& window);

/// The outer object of a file, member by member, and of one large object or list in it item by item.
class ItemStream {
public:
    /// Reads the value after a key; an item of a list has none. Returns false if the cursor stopped.
    using Read = std::function<bool(json_stage::JsonCursor& cursor, std::string_view key)>;
    struct Format {
        std::string_view items = {};  ///< the member with the items; empty: none
        char bracket = '{';           ///< of this member
        bool may_be_items = false;    ///< the file may contain only its value
    };

    ItemStream(const Format& format, Read read_member, Read read_item = {})
        : format_(format), read_member_(std::move(read_member)), read_item_(std::move(read_item)) {}

    /// Reads to the end of the outer object, or to damage. The window then begins at or after the last complete member.
    /// A member at the end of the text in memory is read again with more text. So a reader must store results only at
    /// the end of a member. Errors: see FileWindow::read_on().
    Result<StreamEnd> read(FileWindow& window, std::uint64_t most_nested);

    bool has_items() const noexcept { return has_items_; }  ///< the member has begun
    bool are_items_closed() const noexcept { return has_items_ && part_ != Part::items; }
    bool is_at_start() const noexcept { return is_first_; }  ///< no member was read

private:
    enum class Part { start, members, items, done };

    bool read_part(json_stage::JsonCursor& cursor);
    bool read_start(json_stage::JsonCursor& cursor);
    bool read_member(json_stage::JsonCursor& cursor);
    bool read_item(json_stage::JsonCursor& cursor);

    Format format_;
    Read read_member_, read_item_;
    Part part_ = Part::start;
    bool is_first_ = true, is_first_item_ = true, has_items_ = false, is_outer_ = true;
};

/// Reads the members of the object in a file that msprobe writes next to a dump.json. `read` receives each key with the
/// cursor before its value, and returns false if the cursor stopped. Returns false for a truncated file after its
/// complete members. `expected` names the format in messages. Errors: those of reading, call_too_large;
/// api_dump_invalid for JSON of another format.
Result<bool> read_members_of_file(
    const std::string& path, const ApiReadOptions& options, std::string_view expected,
    const std::function<bool(json_stage::JsonCursor& cursor, std::string_view key)>& read);

}  // namespace opdebug::api_dump
