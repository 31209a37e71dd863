// All facts of a task map as text, to compare maps.
#pragma once

#include <string>

#include <opdebug/logs.hpp>

namespace opdebug::test {

/// A line for each process and each fact: every member, with its lines of the log.
std::string shown_facts(const TaskMap& map);

}  // namespace opdebug::test
