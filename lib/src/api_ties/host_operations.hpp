// The operations of the host in a trace: how they are nested, and which are calls of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace opdebug::api_ties {

/// Texts as small numbers.
class Names {
public:
    std::uint32_t number_of(std::string_view text);
    const std::string& text_of(std::uint32_t number) const { return *texts_[number]; }

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<const std::string*> texts_;
};

struct HostOperation {
    std::uint32_t thread = 0, name = 0;  ///< thread: number of process and thread together
    std::int64_t start = 0, end = 0;     ///< nanoseconds
    std::int64_t sequence = -1;          ///< of automatic differentiation; negative: none
};

/// A time on one thread: where a flow begins.
struct HostPoint {
    std::uint32_t thread = 0;
    std::int64_t time = 0;

    friend auto operator<=>(const HostPoint&, const HostPoint&) = default;
};

class HostOperations {
public:
    using Index = std::uint32_t;
    static constexpr Index kNone = static_cast<Index>(-1);

    void add(const HostOperation& operation) { all_.push_back(operation); }

    /// Sorts and nests them; nothing may be added later.
    void finish(const Names& names);

    const HostOperation& operator[](Index index) const { return all_[index]; }

    /// The innermost operation around a point. kNone: there is none.
    Index around(const HostPoint& point) const;

    /// The outermost operation of a library around this one or itself ("aten::linear" around "aten::addmm"): the call
    /// that the program makes. In a backward, that inside of the node. kNone: none has such a name.
    Index call_of(Index index) const;

    /// The node of automatic differentiation around this one ("AddmmBackward0"). kNone: it is in no backward.
    Index backward_of(Index index) const;

    /// The forward operation that made a node: the last one before it with its sequence number, outside of backwards.
    Index forward_of(Index node) const;

    /// A span ProfilerStep#N.
    struct ProfilerStep {
        std::int64_t start = 0, end = 0;
        std::uint64_t number = 0;
    };
    /// The step of an operation; null: none, or not known.
    const ProfilerStep* step_of(Index index) const;

    /// How many calls of that name the program made in the step, or in the trace.
    std::size_t count_of(Index call, const ProfilerStep* step) const;

private:
    enum class Kind : std::uint8_t { other, library, node };

    void find_steps(const Names& names);
    void nest();

    std::vector<HostOperation> all_;  ///< by thread, start, and the longer one first
    std::vector<Index> parents_;
    std::vector<Kind> kinds_;
    std::vector<bool> in_call_, in_backward_;  ///< inside of another one of a library, of a node
    std::vector<Index> calls_;                 ///< by name and start
    std::vector<Index> sequenced_;             ///< by sequence and start; outside of backwards
    std::vector<ProfilerStep> steps_;          ///< by start
};

}  // namespace opdebug::api_ties
