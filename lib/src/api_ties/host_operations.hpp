// The operations of a trace's host: how they lie inside one another, and which are calls of the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace opdebug::api_ties {

/// A text as a small number; the same text is the same number.
class Names {
public:
    std::uint32_t number_of(std::string_view text);
    const std::string& text_of(std::uint32_t number) const { return *texts_[number]; }
    std::size_t size() const noexcept { return texts_.size(); }
    std::size_t bytes() const noexcept { return bytes_; }  ///< of all texts

private:
    std::unordered_map<std::string, std::uint32_t> numbers_;
    std::vector<const std::string*> texts_;
    std::size_t bytes_ = 0;
};

struct HostOperation {
    std::uint32_t process = 0, thread = 0, name = 0;  ///< thread: number of process and thread together
    std::int64_t start = 0, end = 0;                  ///< nanoseconds
    std::int64_t sequence = -1;                       ///< of automatic differentiation; negative: none
};

/// A place in time on one thread: where a flow begins.
struct HostPoint {
    std::uint32_t thread = 0;
    std::int64_t time = 0;
    bool operator==(const HostPoint& other) const noexcept { return thread == other.thread && time == other.time; }
};

class HostOperations {
public:
    using Index = std::uint32_t;
    static constexpr Index kNone = static_cast<Index>(-1);

    void add(const HostOperation& operation) { all_.push_back(operation); }

    /// Puts them in order; nothing may be added behind it.
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

    /// How many calls of that name the program began in that process from `since` up to `until`, that one left out.
    std::uint64_t calls_between(Index call, std::int64_t since, std::int64_t until) const;

    /// The step that an operation lies in, by the spans ProfilerStep#N.
    struct Step {
        std::int64_t start = 0, end = 0;
        std::uint64_t number = 0;
        std::uint32_t process = 0;
    };
    const Step* step_of(Index index) const;

private:
    enum class Kind : std::uint8_t { other, library, node };
    void nest();
    void find_steps(const Names& names);

    std::vector<HostOperation> all_;  ///< by thread, start, and the longer one first
    std::vector<Index> parents_;
    std::vector<Kind> kinds_;
    std::vector<bool> in_call_, in_backward_;  ///< inside of another one of a library, of a node
    std::vector<Index> calls_;                 ///< by process, name and start
    std::vector<Index> sequenced_;             ///< by process, sequence and start; outside of backwards
    std::vector<Step> steps_;                  ///< by process and start
};

}  // namespace opdebug::api_ties
