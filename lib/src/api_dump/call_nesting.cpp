#include "api_dump/call_nesting.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <opdebug/api.hpp>
#include <opdebug/tree.hpp>

#include "api_dump/call_name.hpp"
#include "api_dump/file_text.hpp"
#include "json/values.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

namespace {

/// Limit of nested modules; networks have a dozen.
constexpr std::size_t kMostModules = 64;

/// A member of Megatron next to the calls.
constexpr std::string_view kMicroStepNumber = "megatron_micro_step_number";

/// The call that defines the nesting of this call.
std::string nested_name(std::string_view call) {
    std::string forward = forward_name(call);
    return forward.empty() ? std::string(call) : forward;
}

/// Whether the entry is around no other one that counts: a call of an API, or the backward of a module.
bool is_innermost(std::string_view name) {
    const NameParts last = split_last(name, '.');
    return last.back == "forward" || last.back == "backward" ||
           (tree::is_decimal(last.back) && split_last(last.front, '.').back == "backward");
}

}  // namespace

const CallNesting::Node* CallNesting::find(std::string_view call) const {
    const auto slot = nodes_.find(call);
    return slot == nodes_.end() ? nullptr : &slot->second;
}

std::vector<std::string> CallNesting::modules_of(std::string_view call) const {
    const std::string name = nested_name(call);
    std::vector<std::string> modules;
    const Node* node = find(name);
    while (node != nullptr && !node->parent.empty() && modules.size() < kMostModules) {
        const std::string& parent = node->parent;
        if (parent == name || std::find(modules.begin(), modules.end(), parent) != modules.end()) {
            break;
        }
        modules.push_back(parent);
        node = find(parent);
    }
    return modules;
}

bool CallNesting::knows(std::string_view call) const {
    const std::string name = nested_name(call);
    const std::vector<std::string> modules = modules_of(call);
    return find(name) != nullptr && (modules.empty() || find(modules.back()) != nullptr);
}

bool CallNesting::lies_inside(std::string_view call, std::string_view module) const {
    const std::vector<std::string> modules = modules_of(call);
    return std::find(modules.begin(), modules.end(), nested_name(module)) != modules.end();
}

std::optional<std::uint64_t> CallNesting::micro_step_of(std::string_view call) const {
    const Node* const own = find(call);
    const Node* const node = own != nullptr && own->micro_step ? own : find(nested_name(call));
    return node == nullptr ? std::nullopt : node->micro_step;
}

LocalizedText CallNesting::lack(const std::vector<std::string>& calls) const {
    if (!fault_.en.empty()) {
        return fault_;
    }
    const bool are_known =
        std::all_of(calls.begin(), calls.end(), [this](const std::string& call) { return knows(call); });
    return complete_ || are_known ? LocalizedText() : remarks::phrase("nesting_cut", {{"file", file_}});
}

/// The parent is a name, null or "" for none, or [parent, micro step] with Megatron. Returns false if the cursor
/// stopped.
bool CallNesting::read_node(JsonCursor& cursor, std::string&& call) {
    std::vector<JsonScalar> parts;
    bool has_scalars = true;
    const auto read_part = [&] {
        char next = 0;
        if (!cursor.peek(next)) {
            return false;
        }
        const bool is_scalar = next != '[' && next != '{';
        has_scalars = has_scalars && is_scalar;
        return is_scalar ? cursor.scalar(parts.emplace_back()) : cursor.skip_value();
    };
    char next = 0;
    if (!cursor.peek(next) || !(next == '[' ? json_stage::each_item(cursor, read_part) : read_part())) {
        return false;
    }
    const std::size_t wanted = next == '[' ? 2 : 1;
    using Kind = JsonScalar::Kind;
    if (has_scalars && parts.size() == wanted && (parts[0].kind == Kind::text || parts[0].kind == Kind::null)) {
        const std::string_view parent = parts[0].kind == Kind::text ? parts[0].text : std::string_view();
        nodes_.insert_or_assign(
            std::move(call), Node{std::string(parent), wanted == 2 ? tree::parse_number(parts[1].text) : std::nullopt});
    } else if (fault_.en.empty() && call != kMicroStepNumber) {
        fault_ = remarks::phrase("nesting_unreadable", {{"file", file_}, {"place", call}});
    }
    return true;
}

Result<CallNesting> read_call_nesting(const std::string& dump, const std::vector<std::string>& calls,
                                      const ApiReadOptions& options) {
    CallNesting nesting;
    nesting.file_ = tree::join_path(tree::folder_of(dump), "construct.json");
    std::set<std::string, std::less<>> wanted(calls.begin(), calls.end());
    for (const std::string& call : calls) {
        wanted.insert(nested_name(call));
    }
    const Result<bool> whole =
        read_members_of_file(nesting.file_, options, "construct.json: expected calls and their modules",
                             [&](JsonCursor& cursor, std::string_view key) {
                                 if (is_innermost(key) && !wanted.contains(key)) {
                                     return cursor.skip_value();
                                 }
                                 return nesting.read_node(cursor, std::string(key));
                             });
    if (!whole && whole.error().code == ErrorCode::interrupted) {
        return whole.error();
    }
    nesting.complete_ = !whole || *whole;
    if (!whole && whole.error().code != ErrorCode::file_not_found) {
        nesting.fault_ = remarks::text_of(whole.error());
    }
    return nesting;
}

}  // namespace opdebug::api_dump
