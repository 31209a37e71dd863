#include "api_dump/call_nesting.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <opdebug/api.hpp>
#include <opdebug/tree.hpp>

#include "api_dump/call_name.hpp"
#include "api_dump/file_text.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

namespace {

/// Limit of nested modules; networks have a dozen.
constexpr std::size_t kMostModules = 64;

/// The call that defines the nesting of this call.
std::string placed_name(std::string_view call) {
    std::string forward = forward_name(call);
    return forward.empty() ? std::string(call) : forward;
}

}  // namespace

const CallNesting::Node* CallNesting::find(std::string_view call) const {
    const auto place = nodes_.find(call);
    return place == nodes_.end() || !place->second.is_known ? nullptr : &place->second;
}

std::vector<std::string> CallNesting::modules_of(std::string_view call) const {
    const std::string name = placed_name(call);
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
    const std::string name = placed_name(call);
    const std::vector<std::string> modules = modules_of(call);
    return find(name) != nullptr && (modules.empty() || find(modules.back()) != nullptr);
}

bool CallNesting::lies_inside(std::string_view call, std::string_view module) const {
    const std::vector<std::string> modules = modules_of(call);
    return std::find(modules.begin(), modules.end(), placed_name(module)) != modules.end();
}

std::optional<std::uint64_t> CallNesting::micro_step_of(std::string_view call) const {
    const Node* const own = find(call);
    const Node* const node = own != nullptr && own->micro_step ? own : find(placed_name(call));
    return node == nullptr ? std::nullopt : node->micro_step;
}

/// Reads {call: parent}: the parent is a name, null or "" for none, or [parent, micro step] with Megatron.
class NestingReader {
public:
    explicit NestingReader(CallNesting& nesting) : nodes_(nesting.nodes_) {}

    void want(const std::string& call) { is_done_ = !nodes_.try_emplace(call).second && is_done_; }

    /// Each pass finds the modules that the previous pass needed. Returns false if the file is truncated.
    Result<bool> read(const std::string& path, const ApiReadOptions& options) {
        Result<bool> complete = true;
        for (std::size_t pass = 0; pass < kMostModules && !is_done_ && complete; ++pass) {
            is_done_ = true;
            complete = read_members_of_file(
                path, options, "construct.json: expected calls and their modules",
                [this](JsonCursor& cursor, std::string_view key) { return read_member(cursor, key); });
        }
        return complete;
    }

    /// The first wanted call whose entry has another format; empty: none.
    const std::string& unreadable() const noexcept { return unreadable_; }

private:
    using Node = CallNesting::Node;

    /// Returns false if the cursor stopped.
    bool read_member(JsonCursor& cursor, std::string_view key) {
        const auto wanted = nodes_.find(key);
        if (wanted == nodes_.end() || wanted->second.is_known) {
            return cursor.skip_value();
        }
        char next = 0;
        if (!cursor.peek(next)) {
            return false;
        }
        const JsonCursor::Place value = cursor.place();
        if (!cursor.skip_value()) {
            return false;
        }
        const JsonCursor::Place after = cursor.place();
        cursor.go_back(value);
        Node node;
        node.is_known = next == '[' ? read_parent_and_step(cursor, node) : read_parent(cursor, node);
        cursor.go_back(after);
        if (node.is_known) {
            const bool is_forward = forward_name(wanted->first).empty();
            wanted->second = node;
            if (is_forward && !node.parent.empty()) {
                want(node.parent);
            }
        } else if (unreadable_.empty()) {
            unreadable_ = wanted->first;
        }
        return true;
    }

    /// Reads a name, or null for none.
    static bool read_parent(JsonCursor& cursor, Node& node) {
        JsonScalar parent;
        if (!cursor.scalar(parent)) {
            return false;
        }
        if (parent.kind == JsonScalar::Kind::text) {
            node.parent = parent.text;
        }
        return parent.kind == JsonScalar::Kind::text || parent.kind == JsonScalar::Kind::null;
    }

    /// [parent, micro step]
    static bool read_parent_and_step(JsonCursor& cursor, Node& node) {
        JsonScalar step;
        if (!cursor.expect('[') || !read_parent(cursor, node) || !cursor.expect(',') || !cursor.scalar(step) ||
            !cursor.expect(']')) {
            return false;
        }
        node.micro_step = step.kind == JsonScalar::Kind::number ? tree::parse_number(step.text) : std::nullopt;
        return true;
    }

    std::map<std::string, Node, std::less<>>& nodes_;
    std::string unreadable_;
    bool is_done_ = true;  ///< nothing new is wanted since this pass began
};

LocalizedText CallNesting::lack(const std::vector<std::string>& calls) const {
    const bool all_known =
        std::all_of(calls.begin(), calls.end(), [this](const std::string& call) { return knows(call); });
    return !fault_.en.empty() || complete_ || all_known ? fault_ : remarks::phrase("nesting_cut", {{"file", file_}});
}

Result<CallNesting> read_call_nesting(const std::string& dump, const std::vector<std::string>& calls,
                                      const ApiReadOptions& options) {
    CallNesting nesting;
    nesting.file_ = tree::join_path(tree::folder_of(dump), "construct.json");
    NestingReader reader(nesting);
    for (const std::string& call : calls) {
        reader.want(placed_name(call));
        reader.want(call);  // for its micro step
    }
    const Result<bool> whole = reader.read(nesting.file_, options);
    if (!whole && whole.error().code == ErrorCode::interrupted) {
        return whole.error();
    }
    nesting.complete_ = !whole || *whole;
    if (!whole && whole.error().code != ErrorCode::file_not_found) {
        nesting.fault_ = remarks::text_of(whole.error());
    } else if (!reader.unreadable().empty()) {
        nesting.fault_ =
            remarks::phrase("nesting_unreadable", {{"file", nesting.file_}, {"place", reader.unreadable()}});
    }
    return nesting;
}

}  // namespace opdebug::api_dump
