// Task maps made of facts instead of lines: for statements whose text is of no interest, or not in the built-in
// formats. Times: log_builder.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "log_builder.hpp"
#include "logs/facts/task_map.hpp"

namespace opdebug::test {

/// A fact of thread 1. Its line number is given by map_of().
struct MadeUpFact : logs::StoredFact {
    MadeUpFact(logs::FactKind kind, std::int64_t at_milliseconds, std::string_view format, logs::LogKind log);
    MadeUpFact& task(std::uint64_t stream, std::uint64_t task);
};

/// Host process 5100 with the facts as lines 1, 2, ... of the file "log0" (or `file`), and a device process 990 with
/// those of "log1" where there are some. Both modules count as logged with level INFO.
std::shared_ptr<const TaskMap> map_of(const std::vector<MadeUpFact>& host, const std::vector<MadeUpFact>& device = {},
                                      std::string_view file = "log0");

}  // namespace opdebug::test
