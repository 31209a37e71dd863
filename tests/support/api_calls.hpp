// Calls of an API dump in a short notation, so that a case of a test is one row.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "api_dump_builder.hpp"

namespace opdebug::test {

/// "Functional.linear(. weight:nan) nan; Torch.cat([. nan] dim=#1) .": names with their arguments in brackets, then the
/// results. ".0.forward" or ".forward" is added to a name that has no phase. The notation:
/// ```
///   .  nan         a clean tensor; one that is all NaN
///   inf/-1.0       a tensor by maximum and minimum; "inf" and "-inf" are infinities, "null" is not computed
///   nan@8,8        its shape; "nan@" is a scalar tensor
///   1/0:bool       its type
///   #-inf  #2      numbers that the program gave: a float and an int; "text" is a text, null is None
///   [a b]  {k=a}   a list, a dict
///   k=a    k:a     a named argument, a parameter (or its gradient)
///   group=0,1      the named argument of a call between ranks
///   isend(1 a)     an operation of a batch: peer and tensor, possibly the id of the group
///   !1             after the results: the overflow register
/// ```
std::vector<MadeCall> calls_of(std::string_view text);

}  // namespace opdebug::test
