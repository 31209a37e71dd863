// Times of dumps for people.
#pragma once

#include <cstdint>
#include <string>

namespace opdebug::report {

/// "2026-03-04 10:00:05.000000", in UTC. Microseconds since 1970; what no calendar can show stays a number: "N us".
std::string show_utc(std::uint64_t timestamp_us);

/// The same with " UTC" behind it.
std::string show_time(std::uint64_t timestamp_us);

}  // namespace opdebug::report
