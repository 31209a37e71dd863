// The call stacks of some calls, from stack.json of msprobe or the dump of ptdbg_ascend.
#include <opdebug/api.hpp>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/tree.hpp>

#include "api_dump/call_name.hpp"
#include "api_dump/json_stream.hpp"
#include "api_dump/readers.hpp"
#include "json/values.hpp"
#include "tree/folder.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

namespace {

using Names = std::vector<std::string>;

/// A list of strings; `keep` selects strings.
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

    /// Reads the value of one member of the file. Returns false if the cursor stopped.
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

/// The cursor is after the first bracket of [[call, ...], [frame, ...]].
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

/// Reads both formats: {call: [frame, ...]} until May 2025, since then {"0": [[call, ...], [frame, ...]], ...}.
/// `is_wanted` selects calls; `use` receives their frames. A truncated file yields its complete members. Errors: those
/// of reading, call_too_large, nesting_too_deep; api_dump_invalid for JSON of another format.
Result<bool> read_stack_file(const std::string& path, const ApiReadOptions& options,
                             const std::function<bool(std::string_view)>& is_wanted,
                             const std::function<void(const std::string&, const Names&)>& use) {
    StackReader stacks(is_wanted, use);
    return read_members_of_file(
        path, options, "stack.json: calls and their frames",
        [&stacks](JsonCursor& cursor, std::string_view key) { return stacks.read_member(cursor, key); });
}

}  // namespace

}  // namespace opdebug::api_dump

namespace opdebug {
inline namespace v0 {
namespace {

using Frames = std::vector<std::string>;

/// Stacks by call; calls without a stack have that of their forward.
class WantedStacks {
public:
    explicit WantedStacks(const std::vector<std::string>& names) : names_(names) {
        for (const std::string& name : names) {
            found_.emplace(name, Frames());
            if (std::string forward = api_dump::forward_name(name); !forward.empty()) {
                found_.emplace(std::move(forward), Frames());
            }
        }
    }

    bool is_wanted(std::string_view call) const { return found_.find(call) != found_.end(); }

    void add(std::string_view call, const Frames& frames) {
        if (const auto place = found_.find(call); place != found_.end()) {
            place->second = frames;
        }
    }

    std::vector<ApiStack> take() const {
        std::vector<ApiStack> stacks;
        for (const std::string& name : names_) {
            const Frames& own = found_.find(name)->second;
            const auto forward = found_.find(api_dump::forward_name(name));
            const Frames& frames = own.empty() && forward != found_.end() ? forward->second : own;
            if (!frames.empty()) {
                stacks.push_back({name, frames});
            }
        }
        return stacks;
    }

private:
    const std::vector<std::string>& names_;
    std::map<std::string, Frames, std::less<>> found_;
};

}  // namespace

Result<std::vector<ApiStack>> read_api_stacks(const std::string& dump, const std::vector<std::string>& names,
                                              const ApiReadOptions& options) {
    if (names.empty()) {
        return std::vector<ApiStack>();
    }
    const Result<std::optional<ApiSource>> source = api_source_of(dump);
    if (!source) {
        return source.error();
    }
    WantedStacks wanted(names);
    if (*source == ApiSource::ptdbg) {
        const Result<bool> read = api_dump::read_ptdbg_stacks(
            dump, options, [&wanted](std::string&& call, Frames&& frames) { wanted.add(call, frames); });
        return read ? Result<std::vector<ApiStack>>(wanted.take()) : read.error();
    }
    const std::string stack_file = tree::join_path(tree::folder_of(dump), "stack.json");
    const Result<bool> read = api_dump::read_stack_file(
        stack_file, options, [&wanted](std::string_view call) { return wanted.is_wanted(call); },
        [&wanted](const std::string& call, const Frames& frames) { wanted.add(call, frames); });
    if (!read && read.error().code != ErrorCode::file_not_found) {
        return read.error();
    }
    std::vector<ApiStack> stacks = wanted.take();
    if (read && !*read && stacks.empty()) {
        return Error{ErrorCode::api_dump_invalid,
                     "the file ends before its JSON does: its writer was ended; no wanted stack is before the cut",
                     stack_file, std::nullopt};
    }
    return stacks;
}

}  // namespace v0
}  // namespace opdebug
