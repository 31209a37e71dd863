// The outputs that a container declares → payloads of a dump.
#pragma once

#include <optional>

#include <opdebug/dump.hpp>

#include "container/container.hpp"

namespace opdebug::dump_stage {

/// Decodes every output into dump.payloads. One bad output costs only itself; the error returned means that none was
/// usable: not_an_overflow_dump, no_output, payload_is_input, or the first output's fault.
std::optional<Error> decode_outputs(Bytes bytes, const container::Contents& contents, const StatusCatalogue& catalogue,
                                    Dump& dump);

}  // namespace opdebug::dump_stage
