// Which modules a call lies in, by construct.json beside the dump.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::api_dump {

/// Backwards lie where their forwards do. What construct.json says of backwards themselves is not taken: their hooks
/// miss the ends of modules that work in place, and put all that follows into them (a real file: a batch_norm's
/// backward inside a ReLU).
class CallNesting {
public:
    /// The call is in the file, and so are the modules around it.
    bool knows(std::string_view call) const;

    /// Innermost first, each once; "optimizer" and "clip_grad" may stand among them. Where modules of a damaged file
    /// lie in themselves, they end there.
    std::vector<std::string> modules_of(std::string_view call) const;

    bool lies_inside(std::string_view call, std::string_view module) const;

    std::optional<std::uint64_t> micro_step_of(std::string_view call) const;

private:
    friend class NestingReader;

    struct Node {
        bool is_known = false;
        std::string parent;
        std::optional<std::uint64_t> micro_step;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
    };
    using Nodes = std::unordered_map<std::string, Node, Hash, std::equal_to<>>;

    const Node* find(std::string_view call) const;

    Nodes nodes_;  ///< of the calls asked for and of the modules around them
};

/// Nesting of the calls named and of their modules; empty where the dump has no construct.json. Memory grows with
/// these, not with the file, which is read once more for each module around the innermost where the outer ones stand
/// in front.
struct ReadNesting {
    CallNesting nesting;  ///< what could be read
    std::string file;
    bool complete = true;  ///< false: the file ends early
    LocalizedText fault;   ///< what else is wrong with the file; empty: nothing

    /// Why the file does not place all of these calls though it should; empty: nothing is wrong with it.
    LocalizedText lack(const std::vector<std::string>& calls) const;
};
/// Error: interrupted.
Result<ReadNesting> read_call_nesting(const std::string& dump, const std::vector<std::string>& calls,
                                      const ApiReadOptions& options);

}  // namespace opdebug::api_dump
