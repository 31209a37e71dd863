// The values of a call, however deep they lie in lists and dicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <opdebug/api_dump.hpp>

#include "api_dump/known_members.hpp"
#include "api_dump/value_node.hpp"
#include "json/cursor.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;

/// Values may lie hundreds of lists deep, so the walk has a stack of its own.
class ValueWalk {
public:
    /// Reads one value with all inside it and adds what it finds to the entry. `index`: where it stands, empty for the
    /// list of all arguments. `is_value`: it may be a tensor itself; else it is a list or dict of arguments, whose
    /// names may be those of a tensor's members. False: the cursor has stopped.
    bool read(JsonCursor& cursor, ApiValueKind kind, std::string_view index, bool is_value, ApiEntry& entry);

    /// The process group among the arguments.
    std::optional<ApiCommunication>& group() noexcept { return group_; }

    /// "SUM", "MAX", ... of a collective's arguments; empty: not told.
    const std::string& reduction() const noexcept { return reduction_; }

    bool found_placeholder() const noexcept { return found_placeholder_; }
    std::string_view first_tensor_type() const noexcept { return first_type_; }

    /// Forgets what was found.
    void clear();

private:
    struct Level {
        bool is_object = false;
        bool may_be_node = false;
        std::size_t index = 0;      ///< of the next member
        std::size_t path_size = 0;  ///< of index_ at this level
        std::size_t values = 0;     ///< that the entry had before
        std::size_t communication = 0;
        ValueNode node;
    };

    bool open(char bracket, bool may_be_node);
    bool read_item(bool& closed);
    bool read_object_member(bool& closed);
    bool read_statistic(const KnownMembers::Member& member, ValueNode& node, bool& is_number);
    void close(ApiEntry& entry, ApiValueKind kind);
    void add_index(std::string_view part);

    JsonCursor* cursor_ = nullptr;
    ApiEntry* entry_ = nullptr;
    std::vector<Level> levels_;
    std::size_t depth_ = 0;                         ///< levels in use: the others keep their memory
    KnownMembers node_members_, argument_members_;  ///< apart: names of arguments would push out those of tensors
    ElementNames element_names_;
    std::string index_;
    std::optional<ApiCommunication> group_;
    std::string reduction_;
    bool found_placeholder_ = false;
    std::string first_type_;
};

}  // namespace opdebug::api_dump
