// The modules around some calls, from construct.json next to the dump.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

#include "json/cursor.hpp"

namespace opdebug::api_dump {

/// Backwards have the modules of their forwards. Entries of backwards are ignored: their hooks miss the end of modules
/// that work in place, so later calls seem to be inside them (seen in a real file: a batch_norm's backward inside a
/// ReLU).
class CallNesting {
public:
    /// Whether the file contains the call and the modules around it.
    bool knows(std::string_view call) const;

    /// Modules from the innermost, each once, possibly with "optimizer" and "clip_grad". Cycles in a damaged file are
    /// cut.
    std::vector<std::string> modules_of(std::string_view call) const;

    bool lies_inside(std::string_view call, std::string_view module) const;

    std::optional<std::uint64_t> micro_step_of(std::string_view call) const;

    /// Why the file lacks some of these calls although it should contain them; empty: nothing is wrong with it.
    LocalizedText lack(const std::vector<std::string>& calls) const;

private:
    friend Result<CallNesting> read_call_nesting(const std::string& dump, const std::vector<std::string>& calls,
                                                 const ApiReadOptions& options);

    struct Node {
        std::string parent;                       ///< a module, "optimizer" or "clip_grad"; empty: none
        std::optional<std::uint64_t> micro_step;  ///< of Megatron
    };

    const Node* find(std::string_view call) const;
    bool read_node(json_stage::JsonCursor& cursor, std::string&& call);

    std::map<std::string, Node, std::less<>> nodes_;  ///< the calls, and all modules: any may be around them
    std::string file_;
    bool complete_ = true;  ///< false: the file ends early
    LocalizedText fault_;   ///< why the file is no construct.json, or its first entry of another format; may be empty
};

/// The nesting of these calls in the readable part of the file; empty if the dump has no construct.json. Error:
/// interrupted.
Result<CallNesting> read_call_nesting(const std::string& dump, const std::vector<std::string>& calls,
                                      const ApiReadOptions& options);

}  // namespace opdebug::api_dump
