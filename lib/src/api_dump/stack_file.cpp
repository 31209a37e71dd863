#include "api_dump/stack_file.hpp"

#include <fmt/format.h>

#include "api_dump/file_window.hpp"
#include "json/cursor.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;
using json_stage::JsonStop;

namespace {

constexpr std::uint64_t kMostNested = 16;  // the file has 3

using Names = std::vector<std::string>;

/// A list of texts; `keep` says which to keep.
template <class Keep>
bool read_texts(JsonCursor& cursor, Names& texts, const Keep& keep) {
    if (!cursor.expect('[')) {
        return false;
    }
    for (bool first = true;; first = false) {
        bool closed = false;
        JsonScalar text;
        if (!cursor.next_member(']', first, closed)) {
            return false;
        }
        if (closed) {
            return true;
        }
        if (!cursor.scalar(text)) {
            return false;
        }
        if (keep(text.text)) {
            texts.emplace_back(text.text);
        }
    }
}

bool is_any(std::string_view) {
    return true;
}

class StackReader {
public:
    StackReader(const std::function<bool(std::string_view)>& is_wanted,
                const std::function<void(const std::string&, const Names&)>& use)
        : is_wanted_(is_wanted), use_(use) {}

    /// One member of the file, or its begin or end. False: the cursor has stopped.
    bool read_some(JsonCursor& cursor);
    bool is_done() const noexcept { return place_ == Place::behind; }

private:
    enum class Place { start, members, behind };

    bool read_group(JsonCursor& cursor);
    bool read_call(JsonCursor& cursor, std::string_view call);

    const std::function<bool(std::string_view)>& is_wanted_;
    const std::function<void(const std::string&, const Names&)>& use_;
    Place place_ = Place::start;
    bool first_ = true;
};

bool StackReader::read_some(JsonCursor& cursor) {
    if (place_ != Place::members) {
        const bool began = place_ == Place::start && cursor.expect('{');
        place_ = began ? Place::members : place_;
        return began;
    }
    bool closed = false;
    std::string_view key;
    if (!cursor.next_member('}', first_, closed)) {
        return false;
    }
    if (closed) {
        place_ = Place::behind;
        return false;
    }
    char next = 0;
    if (!cursor.key(key)) {
        return false;
    }
    const JsonCursor::Place value = cursor.place();
    if (!cursor.expect('[') || !cursor.peek(next)) {
        return false;
    }
    if (next != '[') {
        cursor.go_back(value);
    }
    if (!(next == '[' ? read_group(cursor) : read_call(cursor, key))) {
        return false;
    }
    first_ = false;
    return true;
}

bool StackReader::read_call(JsonCursor& cursor, std::string_view call) {
    if (!is_wanted_(call)) {
        return cursor.skip_value();
    }
    const std::string name(call);
    Names frames;
    if (!read_texts(cursor, frames, is_any)) {
        return false;
    }
    use_(name, frames);
    return true;
}

/// The cursor stands behind the first bracket of [[call, ...], [frame, ...]].
bool StackReader::read_group(JsonCursor& cursor) {
    Names calls, frames;
    if (!read_texts(cursor, calls, is_wanted_) || !cursor.expect(',')) {
        return false;
    }
    if (!(calls.empty() ? cursor.skip_value() : read_texts(cursor, frames, is_any)) || !cursor.expect(']')) {
        return false;
    }
    for (const std::string& call : calls) {
        use_(call, frames);
    }
    return true;
}

}  // namespace

Result<bool> read_stack_file(const std::string& path, const ApiReadOptions& options,
                             const std::function<bool(std::string_view)>& is_wanted,
                             const std::function<void(const std::string&, const Names&)>& use) {
    Result<FileWindow> window = FileWindow::open(path, options);
    if (!window) {
        return window.error();
    }
    StackReader stacks(is_wanted, use);
    while (true) {
        JsonCursor cursor(window->text(), kMostNested);
        std::size_t whole = 0;
        while (stacks.read_some(cursor)) {
            whole = cursor.position();
        }
        if (stacks.is_done()) {
            return true;
        }
        if (cursor.stop() != JsonStop::end) {
            return Error{ErrorCode::api_dump_invalid,
                         "this is not the JSON of a stack.json: calls and their frames were "
                         "expected",
                         path, window->offset() + cursor.position()};
        }
        window->pass(whole);
        const Result<bool> more = window->read_on();
        if (!more) {
            return more.error();
        }
        if (!*more) {
            return false;
        }
    }
}

}  // namespace opdebug::api_dump
