// Which facts somebody who asks for certain tasks needs.
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include <opdebug/task_map.hpp>

#include "logs/task_map.hpp"

namespace opdebug::logs {

/// Why a fact is kept.
enum class Need {
    none,
    own,         ///< it tells about a wanted task or stream, or about models at large
    by_address,  ///< the launch of another task whose kernel lies at a wanted address
    model_name,  ///< another stream's binding: it tells which runtime models there are, and their names
};

/// What is asked for; without wish everything is needed.
class Wanted {
public:
    Wanted() = default;
    explicit Wanted(const WantedTasks& wanted);

    Need need(const Fact& fact) const;

    /// A wanted stream may be a capture stream: from here on its origin's lines are needed as well.
    void add_capture(const Fact& capture);

private:
    bool wants_stream(const Fact& fact) const { return fact.stream_id && streams_.count(*fact.stream_id) != 0; }
    bool wants_address(const std::optional<std::uint64_t>& address) const {
        return address && addresses_.count(*address) != 0;
    }

    bool everything_ = true;
    std::set<TaskKey> tasks_;
    std::set<std::uint64_t> streams_;
    std::set<std::uint64_t> addresses_;
};

}  // namespace opdebug::logs
