#include "api_dump/file_text.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <string>

#include <fmt/format.h>

#include "bytes/file.hpp"
#include "bytes/passed_limit.hpp"
#include "bytes/utf8.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonStop;

namespace {

constexpr std::size_t kUsualSize = std::size_t{64} << 10U;

/// Maximum length of a quoted cell: an unclosed quotation mark costs only its own line.
constexpr std::size_t kLongestQuoted = std::size_t{64} * 1024;

std::string_view without_mark(std::string_view text, std::uint64_t number) {
    const bool has_mark = number == 1 && text.starts_with(bytes::kByteOrderMark);
    return text.substr(has_mark ? bytes::kByteOrderMark.size() : 0);
}

/// The first line break outside quotation marks; `first_break` if these are not closed nearby. npos: more text is
/// needed, or the last line has no break.
std::size_t end_outside_quotes(std::string_view text, std::size_t first_break, bool is_whole) {
    bool is_quoted = false;
    std::size_t quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') {
            is_quoted = !is_quoted;
            quote = i;
        } else if (is_quoted && i - quote > kLongestQuoted) {
            return first_break;
        } else if (text[i] == '\n' && !is_quoted) {
            return i;
        }
    }
    return is_quoted && is_whole ? first_break : std::string_view::npos;
}

constexpr std::uint64_t kMaxMemberNesting = 16;  // real files have 3

}  // namespace

Result<FileWindow> FileWindow::open(const std::string& path, const ApiReadOptions& options) {
    Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return file.error();
    }
    const auto reader = std::make_shared<bytes::FileReader>(std::move(file).value());
    return FileWindow([reader](char* buffer, std::size_t count) { return reader->read(buffer, count); }, path, options);
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
    const Result<std::size_t> got = source_(buffer_.data() + last_, buffer_.size() - last_);
    if (!got) {
        return got.error();
    }
    last_ += *got;
    return *got != 0;
}

std::optional<Error> end_at_limit(const Error& why, ApiFile& file) {
    const bool is_limit = why.code == ErrorCode::call_too_large || why.code == ErrorCode::nesting_too_deep;
    if (!is_limit || file.entries == 0) {
        return why;
    }
    file.complete = false;
    const std::string from = why.offset ? fmt::format("from byte {} on, ", *why.offset) : std::string();
    Diagnostic remark = remarks::diagnose(
        "call_too_large.rest",
        {{"error", LocalizedText{from + why.message, remarks::text_of(why).zh}}, {"count", file.entries}});
    remark.code = to_string(why.code);
    file.diagnostics.push_back(std::move(remark));
    return std::nullopt;
}

Result<std::optional<Line>> LineReader::next() {
    window_.pass(used_);
    used_ = 0;
    std::size_t searched = 0;
    bool is_whole = false;
    while (true) {
        const std::string_view text = window_.text();
        std::size_t end = text.find('\n', searched);
        searched = std::min(end, text.size());
        if (end != std::string_view::npos && line_end_ == LineEnd::outside_quotes) {
            end = end_outside_quotes(text, end, is_whole);
        }
        if (end != std::string_view::npos || is_whole) {
            const bool has_end = end != std::string_view::npos;
            used_ = has_end ? end + 1 : text.size();
            if (used_ == 0) {
                return std::optional<Line>();
            }
            if (const std::optional<Error> too_large = window_.refuse_call(used_); too_large && has_end) {
                return *too_large;
            }
            std::string_view line = text.substr(0, has_end ? end : text.size());
            line.remove_suffix(has_end && line.ends_with('\r') ? 1 : 0);
            const std::uint64_t number = number_ + 1;
            number_ += 1 + static_cast<std::uint64_t>(std::count(line.begin(), line.end(), '\n'));
            return std::optional<Line>({without_mark(line, number), number, has_end});
        }
        const Result<bool> more = window_.read_on();
        if (!more) {
            return more.error();
        }
        is_whole = !*more;
    }
}

Result<std::uint64_t> read_lines(const LinesOfDump& format, const ApiReadOptions& options, ApiFile& file,
                                 const std::function<Result<bool>(const Line&)>& use,
                                 const std::function<void()>& finish) {
    Result<FileWindow> window = FileWindow::open(file.file, options);
    if (!window) {
        return window.error();
    }
    LineReader lines(*window, format.line_end);
    std::uint64_t damaged = 0, first = 0;
    bool last_is_cut = false;
    Result<std::optional<Line>> line = lines.next();
    for (; line && *line; line = lines.next()) {
        if ((*line)->text.find_first_not_of(format.blanks) == std::string_view::npos) {
            continue;
        }
        const Result<bool> is_read = use(**line);
        if (!is_read) {
            return is_read.error();
        }
        if (!*is_read) {
            first = damaged++ == 0 ? (*line)->number : first;
            last_is_cut = !(*line)->has_end;
        }
    }
    finish();
    if (const std::optional<Error> error = line ? std::nullopt : end_at_limit(line.error(), file)) {
        return *error;
    }
    if (file.entries == 0 && damaged == 0) {
        file.complete = !window->is_empty();  // empty: the writer ended before it wrote
        file.diagnostics.push_back(remarks::diagnose(window->is_empty() ? "api_dump_cut.empty" : format.no_calls));
    }
    if (last_is_cut) {
        --damaged;
        file.complete = false;
        file.diagnostics.push_back(remarks::diagnose(format.cut, {{"count", file.entries}}));
    }
    if (damaged != 0) {
        file.diagnostics.push_back(remarks::diagnose(format.damaged, {{"count", damaged}, {"first", first}}));
    }
    return damaged;
}

Result<bool> is_end_of_file(FileWindow& window) {
    while (true) {
        const std::string_view text = window.text();
        const std::size_t other = text.find_first_not_of(" \t\r\n");
        window.pass(std::min(other, text.size()));
        if (other != std::string_view::npos) {
            return false;
        }
        const Result<bool> more = window.read_on();
        if (!more || !*more) {
            return more ? Result<bool>(true) : more.error();
        }
    }
}

Result<StreamEnd> ItemStream::read(FileWindow& window, std::uint64_t most_nested) {
    while (true) {
        JsonCursor cursor(window.text(), most_nested);
        std::size_t whole = 0;
        while (part_ != Part::done && read_part(cursor)) {
            whole = cursor.position();
        }
        window.pass(whole);
        if (part_ == Part::done || cursor.stop() != JsonStop::end) {
            return StreamEnd{part_ == Part::done, cursor.stop(), cursor.position() - whole};
        }
        const Result<bool> more = window.read_on();
        if (!more || !*more) {
            return more ? Result<StreamEnd>(StreamEnd{false, JsonStop::end, window.text().size()}) : more.error();
        }
    }
}

bool ItemStream::read_part(JsonCursor& cursor) {
    return part_ == Part::start ? read_start(cursor) : part_ == Part::members ? read_member(cursor) : read_item(cursor);
}

bool ItemStream::read_start(JsonCursor& cursor) {
    cursor.pass_text(bytes::kByteOrderMark);
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    is_outer_ = !format_.may_be_items || next != format_.bracket;
    if (is_outer_ && next != '{') {
        return cursor.malformed();
    }
    cursor.pass();
    has_items_ = !is_outer_;
    part_ = is_outer_ ? Part::members : Part::items;
    return true;
}

/// A step that stops is repeated, so members change only at its end.
bool ItemStream::read_member(JsonCursor& cursor) {
    bool closed = false;
    std::string_view key;
    char next = 0;
    if (!cursor.next_member('}', is_first_, closed)) {
        return false;
    }
    if (closed) {
        part_ = Part::done;
        return true;
    }
    if (!cursor.key(key) || !cursor.peek(next)) {
        return false;
    }
    if (key == format_.items && next == format_.bracket && read_item_) {
        cursor.pass();
        part_ = Part::items;
        has_items_ = is_first_item_ = true;
    } else if (!read_member_(cursor, key)) {
        return false;
    }
    is_first_ = false;
    return true;
}

bool ItemStream::read_item(JsonCursor& cursor) {
    bool closed = false;
    std::string_view key;
    if (!cursor.next_member(format_.bracket == '{' ? '}' : ']', is_first_item_, closed)) {
        return false;
    }
    if (closed) {
        part_ = is_outer_ ? Part::members : Part::done;
        return true;
    }
    if ((format_.bracket == '{' && !cursor.key(key)) || !read_item_(cursor, key)) {
        return false;
    }
    is_first_item_ = false;
    return true;
}

Result<bool> read_members_of_file(const std::string& path, const ApiReadOptions& options, std::string_view expected,
                                  const std::function<bool(JsonCursor& cursor, std::string_view key)>& read) {
    Result<FileWindow> window = FileWindow::open(path, options);
    if (!window) {
        return window.error();
    }
    const Result<StreamEnd> end = ItemStream({}, read).read(*window, kMaxMemberNesting);
    if (!end) {
        return end.error();
    }
    if (!end->is_closed && end->stop != JsonStop::end) {
        return Error{ErrorCode::api_dump_invalid, fmt::format("this is not the JSON of a {}", expected), path,
                     window->offset() + end->position};
    }
    return end->is_closed;
}

}  // namespace opdebug::api_dump
