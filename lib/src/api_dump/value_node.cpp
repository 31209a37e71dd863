#include "api_dump/value_node.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "api_dump/number_text.hpp"

namespace opdebug::api_dump {
namespace {

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

}  // namespace

NodeMember node_member(std::string_view key) noexcept {
    const auto* const known = std::find_if(std::begin(kMembers), std::end(kMembers),
                                           [key](const NamedMember& named) { return named.key == key; });
    return known == std::end(kMembers) ? NodeMember::other : known->member;
}

std::optional<double> number_of(const JsonScalar& member) noexcept {
    switch (member.kind) {
        case JsonScalar::Kind::truth: return member.text == "true" ? 1.0 : 0.0;
        case JsonScalar::Kind::number:
        case JsonScalar::Kind::text: return number_in(member.text);
        default: return std::nullopt;
    }
}

std::optional<std::int64_t> integer_of(const JsonScalar& member) noexcept {
    std::int64_t value = 0;
    const char* const end = member.text.data() + member.text.size();
    const auto parsed = std::from_chars(member.text.data(), end, value);
    const bool is_whole = member.kind == JsonScalar::Kind::number && parsed.ec == std::errc() && parsed.ptr == end;
    return is_whole ? std::optional<std::int64_t>(value) : std::nullopt;
}

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
        return std::nullopt;  // the name of a device, a type, a reduction
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

}  // namespace opdebug::api_dump
