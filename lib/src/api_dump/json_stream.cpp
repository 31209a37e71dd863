#include "api_dump/json_stream.hpp"

#include <fmt/format.h>

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonStop;

namespace {

constexpr std::uint64_t kMaxMemberNesting = 16;  // real files have 3

/// Reads the beginning of an object, then each member.
class ObjectReader {
public:
    explicit ObjectReader(const std::function<bool(JsonCursor& cursor, std::string_view key)>& read) : read_(read) {}

    Step read_step(JsonCursor& cursor) {
        if (!is_inside_) {
            is_inside_ = cursor.expect('{');
            return is_inside_ ? Step::read : Step::stopped;
        }
        bool closed = false;
        std::string_view key;
        if (!cursor.next_member('}', is_first_, closed)) {
            return Step::stopped;
        }
        if (closed) {
            return Step::done;
        }
        if (!cursor.key(key) || !read_(cursor, key)) {
            return Step::stopped;
        }
        is_first_ = false;
        return Step::read;
    }

private:
    const std::function<bool(JsonCursor& cursor, std::string_view key)>& read_;
    bool is_inside_ = false, is_first_ = true;
};

}  // namespace

Result<StreamEnd> read_json_stream(FileWindow& window, std::uint64_t most_nested,
                                   const std::function<Step(JsonCursor& cursor)>& read_step) {
    while (true) {
        JsonCursor cursor(window.text(), most_nested);
        std::size_t whole = 0;
        Step step = read_step(cursor);
        for (; step == Step::read; step = read_step(cursor)) {
            whole = cursor.position();
        }
        const bool needs_more = step == Step::stopped && cursor.stop() == JsonStop::end;
        if (!needs_more) {
            const std::size_t position = cursor.position() - whole;
            window.pass(whole);
            return StreamEnd{step, cursor.stop(), position};
        }
        window.pass(whole);
        const Result<bool> more = window.read_on();
        if (!more) {
            return more.error();
        }
        if (!*more) {
            return StreamEnd{step, JsonStop::end, window.text().size()};
        }
    }
}

Result<bool> read_members_of_file(const std::string& path, const ApiReadOptions& options, std::string_view expected,
                                  const std::function<bool(JsonCursor& cursor, std::string_view key)>& read) {
    Result<FileWindow> window = FileWindow::open(path, options);
    if (!window) {
        return window.error();
    }
    ObjectReader object(read);
    const Result<StreamEnd> end = read_json_stream(*window, kMaxMemberNesting,
                                                   [&object](JsonCursor& cursor) { return object.read_step(cursor); });
    if (!end) {
        return end.error();
    }
    if (end->step == Step::stopped && end->stop != JsonStop::end) {
        return Error{ErrorCode::api_dump_invalid, fmt::format("this is not the JSON of a {} were expected", expected),
                     path, window->offset() + end->position};
    }
    return end->step == Step::done;
}

}  // namespace opdebug::api_dump
