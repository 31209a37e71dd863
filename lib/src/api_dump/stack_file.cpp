#include "api_dump/stack_file.hpp"

#include "api_dump/side_file.hpp"
#include "json/values.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

namespace {

using Names = std::vector<std::string>;

/// A list of texts; `keep` says which to keep.
template <class Keep>
bool read_texts(JsonCursor& cursor, Names& texts, const Keep& keep) {
    return json_stage::each_item(cursor, [&] {
        JsonScalar text;
        if (!cursor.scalar(text)) {
            return false;
        }
        if (keep(text.text)) {
            texts.emplace_back(text.text);
        }
        return true;
    });
}

bool is_any(std::string_view) {
    return true;
}

class StackReader {
public:
    StackReader(const std::function<bool(std::string_view)>& is_wanted,
                const std::function<void(const std::string&, const Names&)>& use)
        : is_wanted_(is_wanted), use_(use) {}

    /// The value of one member of the file. False: the cursor has stopped.
    bool read_member(JsonCursor& cursor, std::string_view key);

private:
    bool read_group(JsonCursor& cursor);
    bool read_call(JsonCursor& cursor, std::string_view call);

    const std::function<bool(std::string_view)>& is_wanted_;
    const std::function<void(const std::string&, const Names&)>& use_;
};

bool StackReader::read_member(JsonCursor& cursor, std::string_view key) {
    char next = 0;
    const JsonCursor::Place value = cursor.place();
    if (!cursor.expect('[') || !cursor.peek(next)) {
        return false;
    }
    if (next != '[') {
        cursor.go_back(value);
    }
    return next == '[' ? read_group(cursor) : read_call(cursor, key);
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
    StackReader stacks(is_wanted, use);
    return read_side_file(
        path, options, "stack.json: calls and their frames",
        [&stacks](JsonCursor& cursor, std::string_view key) { return stacks.read_member(cursor, key); });
}

}  // namespace opdebug::api_dump
