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
#include "api_dump/file_text.hpp"
#include "api_dump/readers.hpp"
#include "json/values.hpp"
#include "tree/folder.hpp"

namespace opdebug {
namespace api_dump {
namespace {

using json_stage::JsonCursor;
using json_stage::JsonScalar;
using Texts = std::vector<std::string>;

/// The wanted calls, and the frames of those that were found.
using Stacks = std::map<std::string, Texts, std::less<>>;

/// A list of strings; `keeps` selects strings.
template <class Keeps>
bool read_texts(JsonCursor& cursor, Texts& texts, const Keeps& keeps) {
    return json_stage::each_item(cursor, [&] {
        JsonScalar text;
        if (!cursor.scalar(text)) {
            return false;
        }
        if (keeps(text.text)) {
            texts.emplace_back(text.text);
        }
        return true;
    });
}

/// Reads one member of stack.json: "call": [frame, ...] until May 2025, since then "0": [[call, ...], [frame, ...]].
/// Returns false if the cursor stopped.
bool read_stack(JsonCursor& cursor, std::string_view key, Stacks& stacks) {
    const auto is_wanted = [&stacks](std::string_view call) { return stacks.find(call) != stacks.end(); };
    const auto is_any = [](std::string_view) { return true; };
    char next = 0;
    const JsonCursor::Mark value = cursor.mark();
    if (!cursor.expect('[') || !cursor.peek(next)) {
        return false;
    }
    Texts calls, frames;
    const bool is_group = next == '[';
    if (is_group) {
        if (!read_texts(cursor, calls, is_wanted) || !cursor.expect(',')) {
            return false;
        }
    } else {
        cursor.go_back(value);
        if (is_wanted(key)) {
            calls.emplace_back(key);
        }
    }
    if (!(calls.empty() ? cursor.skip_value() : read_texts(cursor, frames, is_any)) ||
        (is_group && !cursor.expect(']'))) {
        return false;
    }
    for (const std::string& call : calls) {
        stacks.find(call)->second = frames;
    }
    return true;
}

/// Calls without a stack have that of their forward.
std::vector<ApiStack> stacks_of(const std::vector<std::string>& names, const Stacks& stacks) {
    std::vector<ApiStack> with_stack;
    for (const std::string& name : names) {
        const Texts& own = stacks.find(name)->second;
        const auto forward = stacks.find(forward_name(name));
        const Texts& frames = own.empty() && forward != stacks.end() ? forward->second : own;
        if (!frames.empty()) {
            with_stack.push_back({name, frames});
        }
    }
    return with_stack;
}

}  // namespace
}  // namespace api_dump

inline namespace v0 {

Result<std::vector<ApiStack>> read_api_stacks(const std::string& dump, const std::vector<std::string>& names,
                                              const ApiReadOptions& options) {
    if (names.empty()) {
        return std::vector<ApiStack>();
    }
    const Result<std::optional<ApiSource>> source = api_source_of(dump);
    if (!source) {
        return source.error();
    }
    api_dump::Stacks stacks;
    for (const std::string& name : names) {
        stacks.try_emplace(name);
        if (const std::string forward = api_dump::forward_name(name); !forward.empty()) {
            stacks.try_emplace(forward);
        }
    }
    const bool is_ptdbg = *source == ApiSource::ptdbg;
    const std::string file = is_ptdbg ? dump : tree::join_path(tree::folder_of(dump), "stack.json");
    const Result<bool> read =
        is_ptdbg ? api_dump::read_ptdbg_stacks(file, options,
                                               [&stacks](const std::string& call, std::vector<std::string>&& frames) {
                                                   if (const auto slot = stacks.find(call); slot != stacks.end()) {
                                                       slot->second = std::move(frames);
                                                   }
                                               })
                 : api_dump::read_members_of_file(file, options, "stack.json: expected calls and their frames",
                                                  [&stacks](json_stage::JsonCursor& cursor, std::string_view key) {
                                                      return api_dump::read_stack(cursor, key, stacks);
                                                  });
    if (!read && (is_ptdbg || read.error().code != ErrorCode::file_not_found)) {
        return read.error();
    }
    std::vector<ApiStack> with_stack = api_dump::stacks_of(names, stacks);
    if (read && !*read && with_stack.empty()) {
        return Error{ErrorCode::api_dump_invalid,
                     "incomplete JSON: the writer was probably killed; no stack of these calls comes before the end",
                     file, std::nullopt};
    }
    return with_stack;
}

}  // namespace v0
}  // namespace opdebug
