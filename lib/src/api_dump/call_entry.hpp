// One call of a dump.json: the object behind its name.
#pragma once

#include <array>
#include <cstddef>

#include <opdebug/api_dump.hpp>

#include "api_dump/value_walk.hpp"
#include "json/cursor.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;

/// What is noticed over all calls of a file.
struct CallSigns {
    std::uint64_t placeholders = 0;  ///< calls whose statistics or register msprobe had not written yet
    bool has_parameters = false;     ///< modules' parameters, which msprobe writes since 1.2.0
    bool has_torch_words = false;    ///< grad_input and grad_output, which it wrote until 1.0.1
    std::string tensor_type;         ///< of the first tensor
};

/// Whether the call has parameters of a module or their gradients.
bool has_parameters(const ApiEntry& entry);

class CallReader {
public:
    /// Reads the value behind the name. False: the cursor has stopped, and `entry` is not whole.
    bool read(JsonCursor& cursor, std::string_view name, ApiEntry& entry);

    /// Adds what the whole call shows to the signs. To be called once for each whole call.
    void tell(const ApiEntry& entry, CallSigns& signs);

private:
    struct ValueRange {
        std::size_t begin = 0, end = 0;
    };

    bool read_member(JsonCursor& cursor, std::string_view key, ApiEntry& entry);
    bool read_parameter_gradient(JsonCursor& cursor, std::string_view key, ApiEntry& entry);
    void forget_values(ApiEntry& entry, ApiValueKind kind);

    ValueWalk walk_;
    std::array<ValueRange, 4> ranges_ = {};  ///< where the values of each kind stand in the entry
    bool has_register_placeholder_ = false, has_torch_words_ = false, has_inputs_ = false;
    std::size_t usual_values_ = 0;  ///< of the call before: memory is asked for once
};

}  // namespace opdebug::api_dump
