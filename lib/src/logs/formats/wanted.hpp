// Which facts somebody who requests certain tasks needs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include <opdebug/logs.hpp>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// What a format made of a line.
enum class Reading {
    nothing,
    unwanted,  ///< a statement on a task that nobody wants (Wanted::is_unwanted)
    stated,
};

/// Why a fact is kept.
enum class Need {
    none,
    own,         ///< it is about a wanted task or stream, or about models at large
    by_address,  ///< the launch of another task whose kernel is at a wanted address
    model_name,  ///< another stream's binding: it shows which runtime models there are, and their names
};

/// What is requested; without a request everything is needed. Copies share the list of requests: each process in the
/// logs has one.
class Wanted {
public:
    Wanted() = default;
    explicit Wanted(const WantedTasks& wanted);

    Need need(const Fact& fact) const;

    /// Whether the fact, of a line that needs no other line, is about one task that nobody wants. Most lines on tasks
    /// are such where tasks are wanted, and a thread that reads any part of a log can check this.
    bool is_unwanted(const Fact& fact) const;

    /// Whether anything is left out.
    bool selects() const noexcept { return request_ != nullptr; }
    /// Whether the launch names an address that was requested; false without a request.
    bool needs_address(const Fact& launch) const {
        return wants_address(launch.address1) || wants_address(launch.address2);
    }

    /// The marks distinguish most tasks from the wanted ones without a search. Requires that certain tasks are
    /// requested, like wants_address().
    bool wants_task(const TaskKey& task) const {
        return request_->has_mark[mark_of(task)] &&
               std::binary_search(request_->tasks.begin(), request_->tasks.end(), task);
    }
    bool wants_address(const std::optional<std::uint64_t>& address) const {
        return address && std::binary_search(request_->addresses.begin(), request_->addresses.end(), *address);
    }

    /// A wanted stream may be a capture stream: from here on its origin's lines are needed as well.
    void add_capture(const Fact& capture);

private:
    /// Sorted, each once. Sets took three times the memory.
    struct Request {
        std::vector<TaskKey> tasks;
        std::vector<std::uint64_t> streams;
        std::vector<std::uint64_t> addresses;
        std::vector<bool> has_mark;  ///< whether one of the tasks has the mark
    };
    static constexpr std::size_t kMarks = 65536;

    /// Streams count their tasks from the same number, so both ids are in it: with the task id alone a job's tasks were
    /// searched for one by one.
    static std::size_t mark_of(const TaskKey& task) noexcept { return (task.first * 40503U + task.second) % kMarks; }

    bool wants_stream(const Fact& fact) const {
        return fact.stream_id &&
               (std::binary_search(request_->streams.begin(), request_->streams.end(), *fact.stream_id) ||
                origins_.count(*fact.stream_id) != 0);
    }
    std::shared_ptr<const Request> request_;  ///< null: everything
    std::set<std::uint64_t> origins_{};       ///< of captures
};

}  // namespace opdebug::logs
