// Where things lie in a file: ranges must be sorted, disjoint and within it.
#pragma once

#include <cstdint>

#include <opdebug/tensor.hpp>

#include "container/container.hpp"

namespace opdebug::fuzz {

/// Of what the header declares, the part that is in the file. A header whose sizes add up beyond 2^64 shows no ranges.
void require_sound_ranges(const container::Contents& contents, std::uint64_t file_size);

/// Of the tensors that were measured.
void require_sound_ranges(const OpDump& dump, std::uint64_t file_size);

}  // namespace opdebug::fuzz
