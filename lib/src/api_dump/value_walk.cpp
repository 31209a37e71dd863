#include "api_dump/value_walk.hpp"

#include <charconv>
#include <limits>
#include <utility>

namespace opdebug::api_dump {
namespace {

// Of the object that holds the file, `data`, and the call.
constexpr std::uint64_t kLevelsAround = 3;

}  // namespace

void ValueWalk::clear() {
    group_.reset();
    reduction_.clear();
    found_placeholder_ = false;
}

bool ValueWalk::read(JsonCursor& cursor, ApiValueKind kind, std::string_view index, bool is_value, ApiEntry& entry) {
    cursor_ = &cursor;
    entry_ = &entry;
    depth_ = 0;
    index_ = index;
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    if (next != '{' && next != '[') {
        JsonScalar ignored;
        return cursor.scalar(ignored);
    }
    if (!open(next, is_value)) {
        return false;
    }
    while (depth_ != 0) {
        bool closed = false;
        if (!(levels_[depth_ - 1].is_object ? read_object_member(closed) : read_item(closed))) {
            return false;
        }
        if (closed) {
            close(entry, kind);
        }
    }
    return true;
}

bool ValueWalk::open(char bracket, bool may_be_node) {
    cursor_->pass();
    if (cursor_->too_deep(kLevelsAround + depth_ + 1)) {
        return false;
    }
    if (depth_ == levels_.size()) {
        levels_.emplace_back();
    }
    Level& level = levels_[depth_++];
    level.is_object = bracket == '{';
    level.may_be_node = may_be_node;
    level.index = 0;
    level.path_size = index_.size();
    level.values = entry_->values.size();
    level.communication = entry_->communication.size();
    if (level.is_object) {
        level.node.reset();
    }
    return true;
}

void ValueWalk::add_index(std::string_view part) {
    if (!index_.empty()) {
        index_ += '.';
    }
    index_ += part;
}

bool ValueWalk::read_item(bool& closed) {
    Level& level = levels_[depth_ - 1];
    char next = 0;
    if (!cursor_->next_member(']', level.index == 0, closed)) {
        return false;
    }
    if (closed) {
        return true;
    }
    if (!cursor_->peek(next)) {
        return false;
    }
    const std::size_t index = level.index++;
    if (next == '{' || next == '[') {
        index_.resize(level.path_size);
        char digits[20];
        const auto written = std::to_chars(digits, digits + sizeof digits, index);
        add_index({digits, static_cast<std::size_t>(written.ptr - digits)});
        return open(next, true);
    }
    JsonScalar ignored;  // null: not dumped
    return cursor_->scalar(ignored);
}

/// Max, Min or Norm where it is written in digits; else nothing is passed.
bool ValueWalk::read_statistic(const KnownMembers::Member& member, ValueNode& node, bool& is_number) {
    std::optional<double>* const statistic = node.statistic(member.meaning);
    double value = 0;
    if (statistic == nullptr) {
        return true;
    }
    if (!cursor_->number(value, is_number)) {
        return false;
    }
    if (is_number) {
        *statistic = value;
    }
    return true;
}

bool ValueWalk::read_object_member(bool& closed) {
    Level& level = levels_[depth_ - 1];
    KnownMembers::Member* member = nullptr;
    char next = 0;
    KnownMembers& members = level.may_be_node ? node_members_ : argument_members_;
    if (!members.read(*cursor_, level.index++, member)) {
        return false;
    }
    closed = member == nullptr;
    if (closed) {
        return true;
    }
    if (!cursor_->peek(next)) {
        return false;
    }
    if (next != '{' && next != '[') {
        bool is_number = false;
        if (!read_statistic(*member, level.node, is_number)) {
            return false;
        }
        if (is_number) {
            return true;
        }
        JsonScalar value;
        if (!members.read_scalar(*cursor_, *member, value)) {
            return false;
        }
        level.node.set(member->meaning, value);
        return true;
    }
    const bool is_shape = member->meaning == NodeMember::shape;
    if (next == '[' && (is_shape || member->meaning == NodeMember::group_ranks)) {
        bool is_list = false;
        if (!cursor_->integers(is_shape ? level.node.shape : level.node.group_ranks, is_list)) {
            return false;
        }
        if (is_list) {
            level.node.has_shape = level.node.has_shape || is_shape;
            return true;
        }
    }
    index_.resize(level.path_size);
    add_index(member->key);
    return open(next, true);
}

/// What the list or object at the top was is known at its end only: its members come in any order.
void ValueWalk::close(ApiEntry& entry, ApiValueKind kind) {
    const Level& level = levels_[--depth_];
    if (!level.is_object || !level.may_be_node) {
        return;
    }
    index_.resize(level.path_size);
    const ValueNode& node = level.node;
    if (node.is_tensor()) {
        // What lies inside a tensor says how it is spread over devices.
        entry.values.resize(level.values);
        entry.communication.resize(level.communication);
        if (first_type_.empty()) {
            first_type_ = node.type;
        }
        found_placeholder_ = found_placeholder_ || node.has_placeholder;
        ApiValue& value = entry.values.emplace_back();
        value.kind = kind;
        value.index = index_;
        node.give_tensor(value, element_names_);
    } else if (node.is_point_to_point()) {
        ApiCommunication communication = node.communication();
        const bool has_tensor = entry.values.size() > level.values;
        communication.is_result = kind == ApiValueKind::output;
        communication.value = has_tensor ? level.values : std::numeric_limits<std::size_t>::max();
        entry.communication.push_back(std::move(communication));
    } else if (node.is_process_group()) {
        group_ = node.communication();
    } else if (node.is_reduction(index_)) {
        reduction_ = node.reduction();
    } else if (std::optional<ApiValue> scalar = node.scalar()) {
        scalar->kind = kind;
        scalar->index = index_;
        entry.values.push_back(*std::move(scalar));
    }
}

}  // namespace opdebug::api_dump
