// A saved task map without its packing and checksums, which no fuzzer would get right: parts, each with a byte for its
// kind, three for its length (little-endian) and its content. Kinds: those of the sections (docs/task-map.md) but 5
// and 7; 254: the texts that the facts of a process share, of which a byte says the process; 255: a block, of which a
// byte says the process and two (little-endian) the number of facts.
#pragma once

#include <string>

#include <opdebug/bytes.hpp>

#include "logs/facts/task_map.hpp"

namespace opdebug::fuzz {

/// The saved map that these parts make; what is left behind the last whole part is dropped.
std::string packed_map(Bytes clear);

/// The parts of a map, one block for each process.
std::string map_in_clear(const TaskMap::Contents& contents);

}  // namespace opdebug::fuzz
