// construct.json of msprobe: which call lies inside which module.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

struct ConstructNode {
    std::string name;
    std::string parent;                       ///< a module, "optimizer" or "clip_grad"; empty: inside none
    std::optional<std::uint64_t> micro_step;  ///< of Megatron, where it is told
    bool is_told = true;                      ///< false: the value has another form, and says nothing of the call
};

/// Reads {call: parent}: the parent is a name, null or "" for none, or [parent, micro step] with Megatron. `is_wanted`
/// is asked for each call. Else as read_side_file().
Result<bool> read_construct_file(const std::string& path, const ApiReadOptions& options,
                                 const std::function<bool(std::string_view)>& is_wanted,
                                 const std::function<void(ConstructNode&&)>& use);

}  // namespace opdebug::api_dump
