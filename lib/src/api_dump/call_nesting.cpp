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
#include "api_dump/json_stream.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

namespace {

struct ConstructNode {
    std::string name;
    std::string parent;                       ///< a module, "optimizer" or "clip_grad"; empty: none
    std::optional<std::uint64_t> micro_step;  ///< of Megatron, if known
    bool is_readable = true;                  ///< false: the value has another format
};

/// Reads a name, or null for none.
bool read_parent(JsonCursor& cursor, ConstructNode& node) {
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
bool read_parent_and_step(JsonCursor& cursor, ConstructNode& node) {
    JsonScalar step;
    if (!cursor.expect('[') || !read_parent(cursor, node) || !cursor.expect(',') || !cursor.scalar(step) ||
        !cursor.expect(']')) {
        return false;
    }
    node.micro_step = step.kind == JsonScalar::Kind::number ? tree::parse_number(step.text) : std::nullopt;
    return true;
}

/// Returns false if the cursor stopped. Skips a value of another format.
bool read_node(JsonCursor& cursor, ConstructNode& node) {
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    const JsonCursor::Place value = cursor.place();
    if (!cursor.skip_value()) {
        return false;
    }
    const JsonCursor::Place behind = cursor.place();
    cursor.go_back(value);
    node.is_readable = next == '[' ? read_parent_and_step(cursor, node) : read_parent(cursor, node);
    cursor.go_back(behind);
    return true;
}

/// Reads {call: parent}: the parent is a name, null or "" for none, or [parent, micro step] with Megatron. `is_wanted`
/// selects calls. See read_members_of_file().
Result<bool> read_construct_file(const std::string& path, const ApiReadOptions& options,
                                 const std::function<bool(std::string_view)>& is_wanted,
                                 const std::function<void(ConstructNode&&)>& use) {
    return read_members_of_file(path, options, "construct.json: calls and their modules",
                                [&](JsonCursor& cursor, std::string_view key) {
                                    if (!is_wanted(key)) {
                                        return cursor.skip_value();
                                    }
                                    ConstructNode node;
                                    node.name = key;
                                    if (!read_node(cursor, node)) {
                                        return false;
                                    }
                                    use(std::move(node));
                                    return true;
                                });
}

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

class NestingReader {
public:
    NestingReader(const std::string& path, const ApiReadOptions& options, CallNesting& nesting)
        : path_(path), options_(options), nodes_(nesting.nodes_) {}

    void want(std::string call) { is_behind_ = !nodes_.try_emplace(std::move(call)).second && is_behind_; }

    /// Each pass finds the modules that the previous pass needed. Returns false if the file is truncated.
    Result<bool> read() {
        bool complete = true;
        for (std::size_t pass = 0; pass < kMostModules && !is_behind_; ++pass) {
            is_behind_ = true;
            const Result<bool> whole = read_construct_file(
                path_, options_, [this](std::string_view call) { return is_wanted(call); },
                [this](ConstructNode&& node) { take(std::move(node)); });
            if (!whole) {
                return whole.error();
            }
            complete = *whole;
        }
        return complete;
    }

    /// The first wanted call whose entry has another format; empty: none.
    const std::string& unreadable() const noexcept { return unreadable_; }

private:
    bool is_wanted(std::string_view call) const {
        const auto place = nodes_.find(call);
        return place != nodes_.end() && !place->second.is_known;
    }

    void take(ConstructNode&& node_of_file) {
        if (!node_of_file.is_readable) {
            if (unreadable_.empty()) {
                unreadable_ = std::move(node_of_file.name);
            }
            return;
        }
        if (!node_of_file.parent.empty() && forward_name(node_of_file.name).empty()) {
            want(node_of_file.parent);
        }
        CallNesting::Node& node = nodes_.find(node_of_file.name)->second;
        node.is_known = true;
        node.parent = std::move(node_of_file.parent);
        node.micro_step = node_of_file.micro_step;
    }

    const std::string& path_;
    const ApiReadOptions& options_;
    CallNesting::Nodes& nodes_;
    std::string unreadable_;
    bool is_behind_ = true;  ///< nothing new is wanted since this pass began
};

LocalizedText ReadNesting::lack(const std::vector<std::string>& calls) const {
    const bool all_known =
        std::all_of(calls.begin(), calls.end(), [this](const std::string& call) { return nesting.knows(call); });
    if (!fault.en.empty() || complete || all_known) {
        return fault;
    }
    return remarks::phrase("nesting_cut", {{"file", file}});
}

Result<ReadNesting> read_call_nesting(const std::string& dump, const std::vector<std::string>& calls,
                                      const ApiReadOptions& options) {
    ReadNesting result;
    result.file = tree::join_path(tree::folder_of(dump), "construct.json");
    NestingReader reader(result.file, options, result.nesting);
    for (const std::string& call : calls) {
        reader.want(placed_name(call));
        reader.want(call);  // for its micro step
    }
    const Result<bool> whole = reader.read();
    if (!whole && whole.error().code == ErrorCode::interrupted) {
        return whole.error();
    }
    result.complete = !whole || *whole;
    if (!whole && whole.error().code != ErrorCode::file_not_found) {
        result.fault = remarks::text_of(whole.error());
    } else if (!reader.unreadable().empty()) {
        result.fault = remarks::phrase("nesting_unreadable", {{"file", result.file}, {"place", reader.unreadable()}});
    }
    return result;
}

}  // namespace opdebug::api_dump
