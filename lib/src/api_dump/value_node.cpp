#include "api_dump/value_node.hpp"

#include <charconv>

#include "api_dump/element_name.hpp"
#include "api_dump/number_text.hpp"

namespace opdebug::api_dump {
namespace {

bool ends_with(std::string_view text, std::string_view end) noexcept {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

}  // namespace

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

void ValueNode::set(std::string_view key, const JsonScalar& member) {
    const bool is_text = member.kind == JsonScalar::Kind::text;
    const auto take_text = [&member, is_text](std::string_view& text) {
        if (is_text) {
            text = member.text;
        }
    };
    if (key == "type" || key == "class_type") {
        take_text(type);
    } else if (key == "dtype") {
        take_text(dtype);
    } else if (key == "Max") {
        max = member;
        has_extremes = true;
    } else if (key == "Min") {
        min = member;
        has_extremes = true;
    } else if (key == "Norm") {
        norm = member;
    } else if (key == "value") {
        value = member;
        has_value = true;
    } else if (key == "md5") {
        take_text(checksum);
    } else if (key == "data_name") {
        take_text(data_name);
    } else if (key == "tensor_stat_index" || key == "md5_index") {
        has_placeholder = true;
    } else if (key == "op") {
        take_text(operation);
    } else if (key == "peer") {
        peer = member;
    } else if (key == "tag") {
        tag = member;
    } else if (key == "group_id") {
        take_text(group_id);
    }
}

void ValueNode::reset() {
    type = dtype = checksum = data_name = operation = group_id = {};
    max = min = norm = value = peer = tag = {};
    shape.clear();
    group_ranks.clear();
    has_shape = has_extremes = has_value = has_placeholder = false;
}

bool ValueNode::is_process_group() const noexcept {
    return ends_with(type, "ProcessGroup");
}

bool ValueNode::is_point_to_point() const noexcept {
    return ends_with(type, "P2POp");
}

ApiValue ValueNode::tensor() const {
    ApiValue tensor;
    tensor.dtype = element_name(dtype);
    tensor.shape.reserve(shape.size());
    for (const std::int64_t extent : shape) {
        tensor.shape.push_back(extent > 0 ? static_cast<std::uint64_t>(extent) : 0);
    }
    tensor.max = number_of(max);
    tensor.min = number_of(min);
    tensor.norm = number_of(norm);
    tensor.checksum = checksum;
    tensor.data_name = data_name;
    return tensor;
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
