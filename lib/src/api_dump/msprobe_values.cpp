#include "api_dump/msprobe_call.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "api_dump/scalars.hpp"
#include "bytes/hash_factors.hpp"

namespace opdebug::api_dump {
namespace {

template <std::size_t size>
bool is_one_of(std::string_view word, const std::array<std::string_view, size>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Keywords of torch_npu and mindspore.communication for the name of a group. Calls with experts have another name for
/// tensor parallelism, which is less important.
bool names_group(std::string_view keyword) {
    constexpr std::array<std::string_view, 4> kKeywords{"group", "hcom", "group_name", "group_ep"};
    return is_one_of(keyword, kKeywords);
}

/// By position, a group's name is the first string that is no reduction.
bool may_name_group(const ValueNode& node, std::string_view api, std::string_view index) {
    constexpr std::array<std::string_view, 6> kReductions{"SUM", "MAX", "MIN", "PROD", "AVG", "PRODUCT"};
    const bool communicates = api.starts_with("NPU.") || api.starts_with("Distributed.");
    return communicates && index.find('.') == std::string_view::npos && !is_one_of(node.reduction(), kReductions);
}

struct NamedMember {
    std::string_view key;
    NodeMember member;
};

constexpr NamedMember kMembers[] = {
    {"type", NodeMember::type},
    {"class_type", NodeMember::type},
    {"dtype", NodeMember::dtype},
    {"shape", NodeMember::shape},
    {"Max", NodeMember::max},
    {"Min", NodeMember::min},
    {"Norm", NodeMember::norm},
    {"value", NodeMember::value},
    {"md5", NodeMember::checksum},
    {"data_name", NodeMember::data_name},
    {"tensor_stat_index", NodeMember::placeholder},
    {"md5_index", NodeMember::placeholder},
    {"op", NodeMember::operation},
    {"peer", NodeMember::peer},
    {"tag", NodeMember::tag},
    {"group_id", NodeMember::group_id},
    {"group_ranks", NodeMember::group_ranks},
};

// Levels around a value: the object of the file, `data`, and the call.
constexpr std::uint64_t kLevelsAround = 3;

NodeMember node_member(std::string_view key) noexcept {
    const auto* const known = std::find_if(std::begin(kMembers), std::end(kMembers),
                                           [key](const NamedMember& named) { return named.key == key; });
    return known == std::end(kMembers) ? NodeMember::other : known->member;
}

/// Adds an argument that is no tensor and no number. The sum does not depend on the order of keywords.
void add_argument(ApiValueKind kind, std::string_view index, const JsonScalar& written, ApiEntry& entry) {
    const std::string_view text = written.text;
    const bool is_device = text.starts_with("npu") || text.starts_with("cuda") || text.starts_with("cpu");
    if (kind != ApiValueKind::output && written.kind != JsonScalar::Kind::null && !is_device) {
        const std::uint64_t place = std::hash<std::string_view>{}(index)*bytes::kHashFactor;
        entry.other_arguments += (place ^ std::hash<std::string_view>{}(text)) * bytes::kHashFactors[1];
    }
}

}  // namespace

void ValueNode::set(NodeMember member, const JsonScalar& written) {
    const std::string_view text = written.kind == JsonScalar::Kind::text ? written.text : std::string_view();
    switch (member) {
        case NodeMember::type: type = text; break;
        case NodeMember::dtype: dtype = text; break;
        case NodeMember::max:
        case NodeMember::min:
        case NodeMember::norm: *statistic(member) = number_of(written); break;
        case NodeMember::value: value = written; break;
        case NodeMember::checksum: checksum = text; break;
        case NodeMember::data_name: data_name = text; break;
        case NodeMember::operation: operation = text; break;
        case NodeMember::peer: peer = written; break;
        case NodeMember::tag: tag = written; break;
        case NodeMember::group_id: group_id = text; break;
        case NodeMember::placeholder: has_placeholder = true; break;
        case NodeMember::shape:
        case NodeMember::group_ranks:
        case NodeMember::other: break;
    }
    has_value = has_value || member == NodeMember::value;
}

std::optional<double>* ValueNode::statistic(NodeMember member) noexcept {
    has_extremes = has_extremes || member == NodeMember::max || member == NodeMember::min;
    return member == NodeMember::max    ? &max
           : member == NodeMember::min  ? &min
           : member == NodeMember::norm ? &norm
                                        : nullptr;
}

void ValueNode::reset() {
    type = dtype = checksum = data_name = operation = group_id = {};
    max = min = norm = std::nullopt;
    value = peer = tag = {};
    shape.clear();
    group_ranks.clear();
    has_shape = has_extremes = has_value = has_placeholder = false;
}

bool ValueNode::is_process_group() const noexcept {
    return type.ends_with("ProcessGroup");
}

bool ValueNode::is_point_to_point() const noexcept {
    return type.ends_with("P2POp");
}

bool ValueNode::is_reduction(std::string_view index) const noexcept {
    return value.kind == JsonScalar::Kind::text && (type.ends_with("ReduceOp") || (index == "op" && type == "str"));
}

bool ValueNode::is_text() const noexcept {
    return value.kind == JsonScalar::Kind::text && type == "str";
}

std::string ValueNode::reduction() const {
    std::string name(value.text.substr(value.text.rfind('.') + 1));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return name;
}

void ValueNode::give_tensor(ApiValue& tensor, ElementNames& names) const {
    tensor.dtype = names.name_of(dtype);
    tensor.shape.reserve(shape.size());
    for (const std::int64_t extent : shape) {
        tensor.shape.push_back(extent > 0 ? static_cast<std::uint64_t>(extent) : 0);
    }
    tensor.max = max;
    tensor.min = min;
    tensor.norm = norm;
    tensor.checksum = checksum;
    tensor.data_name = data_name;
}

std::optional<ApiValue> ValueNode::scalar() const {
    const bool is_number = value.kind == JsonScalar::Kind::number || value.kind == JsonScalar::Kind::truth;
    const bool may_be_quoted = value.kind == JsonScalar::Kind::text && type != "str";
    if (!has_value || type.empty() || (!is_number && !may_be_quoted)) {
        return std::nullopt;
    }
    const std::optional<double> number = number_of(value);
    if (!number) {
        return std::nullopt;  // a device, type or reduction
    }
    ApiValue scalar;
    scalar.is_scalar = true;
    scalar.dtype = element_name(type);
    scalar.max = number;
    scalar.min = number;
    return scalar;
}

ApiCommunication ValueNode::communication() const {
    ApiCommunication communication;
    communication.group_ranks = group_ranks;
    communication.group_id = group_id;
    communication.operation = operation;
    communication.peer = integer_of(peer);
    communication.tag = integer_of(tag);
    return communication;
}

void ValueWalk::clear() {
    group_.reset();
    reduction_.clear();
    found_placeholder_ = false;
}

bool ValueWalk::read(JsonCursor& cursor, ApiValueKind kind, std::string_view index, bool is_value, ApiEntry& entry) {
    cursor_ = &cursor;
    entry_ = &entry;
    kind_ = kind;
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
    level.other_arguments = entry_->other_arguments;
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
    JsonScalar written;  // null: not dumped
    if (!cursor_->scalar(written)) {
        return false;
    }
    const std::string_view list(index_.data(), level.path_size);
    add_argument(kind_, std::string(list) + '.' + std::to_string(index), written, *entry_);
    return true;
}

/// Reads Max, Min or Norm if it is written in digits. Otherwise consumes nothing.
bool ValueWalk::read_statistic(NodeMember member, ValueNode& node, bool& is_number) {
    std::optional<double>* const statistic = node.statistic(member);
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
    std::string_view key;
    char next = 0;
    if (!cursor_->next_member('}', level.index++ == 0, closed)) {
        return false;
    }
    if (closed) {
        return true;
    }
    if (!cursor_->key(key) || !cursor_->peek(next)) {
        return false;
    }
    const NodeMember member = node_member(key);
    if (next != '{' && next != '[') {
        bool is_number = false;
        JsonScalar value;
        if (!read_statistic(member, level.node, is_number)) {
            return false;
        }
        if (is_number) {
            return true;
        }
        if (!cursor_->scalar(value)) {
            return false;
        }
        level.node.set(member, value);
        return true;
    }
    const bool is_shape = member == NodeMember::shape;
    if (next == '[' && (is_shape || member == NodeMember::group_ranks)) {
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
    add_index(key);
    return open(next, true);
}

/// The type of the list or object is known only at its end: its members come in any order.
void ValueWalk::close(ApiEntry& entry, ApiValueKind kind) {
    const Level& level = levels_[--depth_];
    if (!level.is_object || !level.may_be_node) {
        return;
    }
    index_.resize(level.path_size);
    const ValueNode& node = level.node;
    if (node.is_tensor()) {
        // Values inside a tensor describe how it is distributed over devices.
        entry.values.resize(level.values);
        entry.communication.resize(level.communication);
        entry.other_arguments = level.other_arguments;
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
        add_argument(kind, index_, node.value, entry);
    } else if (node.is_text()) {
        const bool is_named = kind == ApiValueKind::keyword && names_group(index_);
        if (is_named || (kind == ApiValueKind::input && !group_ && may_name_group(node, entry.api, index_))) {
            group_.emplace().group_name = node.value.text;
        } else {
            add_argument(kind, index_, node.value, entry);
        }
    } else if (std::optional<ApiValue> scalar = node.scalar()) {
        scalar->kind = kind;
        scalar->index = index_;
        entry.values.push_back(*std::move(scalar));
    } else if (node.has_value) {
        add_argument(kind, index_, node.value, entry);
    }
}

}  // namespace opdebug::api_dump
