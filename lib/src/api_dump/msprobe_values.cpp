#include "api_dump/msprobe_call.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <iterator>
#include <limits>
#include <string>
#include <utility>

#include "api_dump/readers.hpp"
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

/// A member with a fact about a value: its name in msprobe's files, and the member that keeps it.
struct NodeMember {
    std::string_view key;
    std::string_view ValueNode::*text = nullptr;
    std::optional<double> ValueNode::*statistic = nullptr;
    JsonScalar ValueNode::*scalar = nullptr;
    std::vector<std::int64_t> ValueNode::*list = nullptr;
    bool ValueNode::*is_there = nullptr;
};

constexpr NodeMember kMembers[] = {
    {.key = "type", .text = &ValueNode::type},
    {.key = "class_type", .text = &ValueNode::type},
    {.key = "dtype", .text = &ValueNode::dtype},
    {.key = "shape", .list = &ValueNode::shape, .is_there = &ValueNode::has_shape},
    {.key = "Max", .statistic = &ValueNode::max, .is_there = &ValueNode::has_extremes},
    {.key = "Min", .statistic = &ValueNode::min, .is_there = &ValueNode::has_extremes},
    {.key = "Norm", .statistic = &ValueNode::norm},
    {.key = "value", .scalar = &ValueNode::value, .is_there = &ValueNode::has_value},
    {.key = "md5", .text = &ValueNode::checksum},
    {.key = "data_name", .text = &ValueNode::data_name},
    {.key = "tensor_stat_index", .is_there = &ValueNode::has_placeholder},
    {.key = "md5_index", .is_there = &ValueNode::has_placeholder},
    {.key = "op", .text = &ValueNode::operation},
    {.key = "peer", .scalar = &ValueNode::peer},
    {.key = "tag", .scalar = &ValueNode::tag},
    {.key = "group_id", .text = &ValueNode::group_id},
    {.key = "group_ranks", .list = &ValueNode::group_ranks},
};

// Levels around a value: the object of the file, `data`, and the call.
constexpr std::uint64_t kLevelsAround = 3;

const NodeMember& member_of(std::string_view key) noexcept {
    static constexpr NodeMember kOther{};
    const auto* const known = std::find_if(std::begin(kMembers), std::end(kMembers), [key](const NodeMember& one) {
        return one.key.size() == key.size() && one.key.front() == key.front() && one.key == key;
    });
    return known == std::end(kMembers) ? kOther : *known;
}

/// Reads the scalar of a member, and keeps it. Returns false if the cursor stopped.
bool read_scalar_member(JsonCursor& cursor, const NodeMember& member, ValueNode& node) {
    bool is_number = false;
    double number = 0;
    JsonScalar written;
    if (member.statistic != nullptr && !cursor.number(number, is_number)) {
        return false;
    }
    if (!is_number && !cursor.scalar(written)) {
        return false;
    }
    if (member.statistic != nullptr) {
        node.*member.statistic = is_number ? std::optional(number) : number_of(written);
    } else if (member.text != nullptr) {
        node.*member.text = written.kind == JsonScalar::Kind::text ? written.text : std::string_view();
    } else if (member.scalar != nullptr) {
        node.*member.scalar = written;
    }
    if (member.is_there != nullptr && member.list == nullptr) {
        node.*member.is_there = true;
    }
    return true;
}

/// Adds an argument that is no tensor and no number. The sum does not depend on the order of keywords.
void add_argument(ApiValueKind kind, std::string_view index, const JsonScalar& written, ApiEntry& entry) {
    const std::string_view text = written.text;
    const bool is_device = text.starts_with("npu") || text.starts_with("cuda") || text.starts_with("cpu");
    if (kind != ApiValueKind::output && written.kind != JsonScalar::Kind::null && !is_device) {
        const std::uint64_t position = std::hash<std::string_view>{}(index)*bytes::kHashFactor;
        entry.other_arguments += (position ^ std::hash<std::string_view>{}(text)) * bytes::kHashFactors[1];
    }
}

}  // namespace

void ValueNode::reset() {
    type = dtype = checksum = data_name = operation = group_id = {};
    max = min = norm = std::nullopt;
    value = peer = tag = {};
    shape.clear();
    group_ranks.clear();
    has_shape = has_extremes = has_value = has_placeholder = false;
}

std::string ValueNode::reduction() const {
    std::string name(value.text.substr(value.text.rfind('.') + 1));
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
    return name;
}

void ValueNode::give_tensor(ApiValue& tensor) const {
    tensor.dtype = element_name(dtype);
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

void ValueWalk::begin() {
    group_.reset();
    reduction_.clear();
    has_placeholder_ = false;
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
    const NodeMember& member = member_of(key);
    if (next != '{' && next != '[') {
        return read_scalar_member(*cursor_, member, level.node);
    }
    if (next == '[' && member.list != nullptr) {
        bool is_list = false;
        if (!cursor_->integers(level.node.*member.list, is_list)) {
            return false;
        }
        if (is_list) {
            level.node.has_shape = level.node.has_shape || member.is_there != nullptr;
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
        has_placeholder_ = has_placeholder_ || node.has_placeholder;
        ApiValue& value = entry.values.emplace_back();
        value.kind = kind;
        value.index = index_;
        node.give_tensor(value);
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
