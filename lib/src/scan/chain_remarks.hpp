// How sure it is where the first bad value of a chain appears.
#pragma once

#include <vector>

#include <opdebug/chains.hpp>

#include "scan/chain_members.hpp"

namespace opdebug::scan_stage {

/// What the chain itself tells: dumps before the first bad value that were not measured, an order by path, a value that
/// came in from outside, an unknown step.
std::vector<ScanRemark> remarks_on_chain(const ChainMembers& chain);

/// Where other ranks, devices and processes show a bad value in the same step, as far as their times can be compared.
/// One list for each of the first `count` chains.
std::vector<std::vector<ScanRemark>> remarks_across_places(const std::vector<ChainMembers>& chains,
                                                           const std::vector<const ScanItem*>& overflowed,
                                                           std::size_t count);

}  // namespace opdebug::scan_stage
