#include "api_dump/side_file.hpp"

#include <fmt/format.h>

#include "api_dump/file_text.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonStop;

namespace {

constexpr std::uint64_t kMaxSideFileNesting = 16;  // the files have 3

enum class Place { start, members, behind };

/// The begin of the object, one member, or its end. False: the cursor has stopped, or the object has ended.
bool read_some(JsonCursor& cursor, Place& place, bool& first,
               const std::function<bool(JsonCursor& cursor, std::string_view key)>& read) {
    if (place != Place::members) {
        const bool began = place == Place::start && cursor.expect('{');
        place = began ? Place::members : place;
        return began;
    }
    bool closed = false;
    if (!cursor.next_member('}', first, closed)) {
        return false;
    }
    if (closed) {
        place = Place::behind;
        return false;
    }
    std::string_view key;
    if (!cursor.key(key) || !read(cursor, key)) {
        return false;
    }
    first = false;
    return true;
}

}  // namespace

Result<bool> read_side_file(const std::string& path, const ApiReadOptions& options, std::string_view expected,
                            const std::function<bool(JsonCursor& cursor, std::string_view key)>& read) {
    Result<FileWindow> window = FileWindow::open(path, options);
    if (!window) {
        return window.error();
    }
    Place place = Place::start;
    bool first = true;
    while (true) {
        JsonCursor cursor(window->text(), kMaxSideFileNesting);
        std::size_t whole = 0;
        while (read_some(cursor, place, first, read)) {
            whole = cursor.position();
        }
        if (place == Place::behind) {
            return true;
        }
        if (cursor.stop() != JsonStop::end) {
            return Error{ErrorCode::api_dump_invalid,
                         fmt::format("this is not the JSON of a {} were expected", expected), path,
                         window->offset() + cursor.position()};
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
