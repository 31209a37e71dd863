// One object of a call's values: a tensor, a scalar, a process group, a point-to-point operation, or a plain dict.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api_dump.hpp>

#include "api_dump/element_name.hpp"
#include "json/cursor.hpp"

namespace opdebug::api_dump {

using json_stage::JsonScalar;

/// The members that say something of a value, by their names in msprobe's files.
enum class NodeMember {
    other,
    type,
    dtype,
    shape,
    max,
    min,
    norm,
    value,
    checksum,
    data_name,
    placeholder,
    operation,
    peer,
    tag,
    group_id,
    group_ranks
};
NodeMember node_member(std::string_view key) noexcept;

/// Its members that are no lists and objects, as written; the texts belong to the cursor.
struct ValueNode {
    std::string_view type, dtype, checksum, data_name, operation, group_id;
    std::optional<double> max, min, norm;
    JsonScalar value, peer, tag;
    std::vector<std::int64_t> shape, group_ranks;
    bool has_shape = false, has_extremes = false, has_value = false;
    bool has_placeholder = false;  ///< msprobe ended before it wrote statistics

    void set(NodeMember member, const JsonScalar& written);

    /// Where the statistic of that member belongs; null for other members.
    std::optional<double>* statistic(NodeMember member) noexcept;

    /// As if it was new; the lists keep their memory.
    void reset();

    /// Recognised by dtype and shape, for there are many types of tensors; or by the type where those are missing.
    bool is_tensor() const noexcept {
        return (!dtype.empty() && (has_shape || has_extremes)) || type.ends_with("Tensor") ||
               type.ends_with("Parameter");
    }
    bool is_process_group() const noexcept;
    bool is_point_to_point() const noexcept;
    /// A ReduceOp; of MindSpore the text of the argument "op". `index`: where the node stands.
    bool is_reduction(std::string_view index) const noexcept;

    /// The tensor's statistics; kind and index are left to the caller.
    void give_tensor(ApiValue& tensor, ElementNames& names) const;

    /// A number among the values; nothing for texts, types and dicts.
    std::optional<ApiValue> scalar() const;

    ApiCommunication communication() const;

    /// "MAX" of "RedOpType.MAX" and of "max".
    std::string reduction() const;
};

/// The number of a member, also quoted; truth values are 1 and 0.
std::optional<double> number_of(const JsonScalar& member) noexcept;

std::optional<std::int64_t> integer_of(const JsonScalar& member) noexcept;

}  // namespace opdebug::api_dump
