// One call of a dump.json: the object after its name, and its values at any depth of lists and dicts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

#include "api_dump/readers.hpp"
#include "json/cursor.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

/// A value with its scalar members as written. The cursor owns the texts.
struct ValueNode {
    std::string_view type, dtype, checksum, data_name, operation, group_id;
    std::optional<double> max, min, norm;
    JsonScalar value, peer, tag;
    std::vector<std::int64_t> shape, group_ranks;
    bool has_shape = false, has_extremes = false, has_value = false;
    bool has_placeholder = false;  ///< msprobe stopped before it wrote statistics

    /// Resets all members; the lists keep their memory.
    void reset();

    /// Detected by dtype and shape, because there are many types of tensors; by the type if those are missing.
    bool is_tensor() const noexcept {
        return (!dtype.empty() && (has_shape || has_extremes)) || type.ends_with("Tensor") ||
               type.ends_with("Parameter");
    }
    bool is_process_group() const noexcept { return type.ends_with("ProcessGroup"); }
    bool is_point_to_point() const noexcept { return type.ends_with("P2POp"); }
    /// A ReduceOp; in MindSpore the text of the argument "op". `index`: position of the node.
    bool is_reduction(std::string_view index) const noexcept {
        return value.kind == JsonScalar::Kind::text && (type.ends_with("ReduceOp") || (index == "op" && type == "str"));
    }
    /// A string, such as a group name of torch_npu or MindSpore.
    bool is_text() const noexcept { return value.kind == JsonScalar::Kind::text && type == "str"; }

    /// Sets the tensor's statistics. The caller sets kind and index.
    void give_tensor(ApiValue& tensor) const;

    /// The number of the value. Empty for strings, types and dicts.
    std::optional<ApiValue> scalar() const;

    ApiCommunication communication() const;

    /// "MAX" of "RedOpType.MAX" and of "max".
    std::string reduction() const;
};

/// Parses values with an explicit stack, because lists may be nested hundreds deep.
class ValueWalk {
public:
    /// Reads one value and its content, and adds the results to the entry. `index`: position; empty for the list of all
    /// arguments. `is_value`: it may be a tensor; otherwise it is a list or dict of arguments, whose names may equal
    /// those of a tensor's members. Returns false if the cursor stopped.
    bool read(JsonCursor& cursor, ApiValueKind kind, std::string_view index, bool is_value, ApiEntry& entry);

    /// The process group among the arguments.
    std::optional<ApiCommunication>& group() noexcept { return group_; }

    /// "SUM", "MAX", ... in the arguments of a collective; empty: unknown.
    const std::string& reduction() const noexcept { return reduction_; }

    bool has_placeholder_value() const noexcept { return has_placeholder_; }
    std::string_view first_tensor_type() const noexcept { return first_type_; }

    /// Clears the results.
    void begin();

private:
    struct Level {
        bool is_object = false;
        bool may_be_node = false;
        std::size_t index = 0;      ///< index of the next member
        std::size_t path_size = 0;  ///< size of index_ at this level
        std::size_t values = 0;     ///< number of values of the entry before this level
        std::size_t communication = 0;
        std::uint64_t other_arguments = 0;
        ValueNode node;
    };

    bool open(char bracket, bool may_be_node);
    bool read_item(bool& closed);
    bool read_object_member(bool& closed);
    void close(ApiEntry& entry, ApiValueKind kind);
    void add_index(std::string_view part);

    JsonCursor* cursor_ = nullptr;
    ApiEntry* entry_ = nullptr;
    ApiValueKind kind_ = ApiValueKind::input;
    std::vector<Level> levels_;
    std::size_t depth_ = 0;  ///< levels in use: the others keep their memory
    std::string index_;
    std::optional<ApiCommunication> group_;
    std::string reduction_;
    bool has_placeholder_ = false;
    std::string first_type_;
};

/// Facts about all calls of a file.
struct CallSigns {
    std::uint64_t placeholders = 0;  ///< calls whose statistics or register msprobe had not written yet
    bool has_parameters = false;     ///< parameters of modules: msprobe 1.2.0 and later
    bool has_torch_words = false;    ///< grad_input and grad_output: msprobe up to 1.0.1
    std::string tensor_type;         ///< type of the first tensor
};

class CallReader {
public:
    /// Reads the value after the name. Returns false if the cursor stopped; `entry` is incomplete then.
    bool read(JsonCursor& cursor, std::string_view name, ApiEntry& entry);

    /// Adds the facts of the call to the signs. Call it once for each complete call.
    void note_signs(const ApiEntry& entry, CallSigns& signs);

private:
    bool read_member(JsonCursor& cursor, std::string_view key, ApiEntry& entry);
    bool read_parameter_gradient(JsonCursor& cursor, std::string_view key, ApiEntry& entry);

    ValueWalk walk_;
    bool has_register_placeholder_ = false, has_torch_words_ = false, has_inputs_ = false;
};

}  // namespace opdebug::api_dump
