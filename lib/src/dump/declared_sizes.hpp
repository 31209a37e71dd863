// The sizes that a header declares against the bytes that are there.
#pragma once

#include <cstdint>
#include <vector>

#include <opdebug/result.hpp>

#include "container/container.hpp"

namespace opdebug::dump_stage {

/// How many bytes of an output are its payload. The official converter keeps at most product(dims) bytes of a UINT8
/// output; so does this, to give the same text.
std::uint64_t payload_size(const container::Tensor& output);

/// Compares what is declared of an output whose payload is wholly there with its shape and with the bytes. More than
/// there is: error payload_size, and the result is false. More than its shape takes: a warning, for the official
/// converter reads such files as they are meant. `end`: where the bytes of the dump end in the file.
bool check_declared_size(const container::Tensor& output, std::uint64_t end, std::vector<Diagnostic>& diagnostics);

/// Buffers and workspaces behind the outputs, of which some bytes are missing: error tensors_beyond_file, and the
/// result is false.
bool check_further_sizes(const container::Contents& contents, std::uint64_t end, std::vector<Diagnostic>& diagnostics);

/// A v1 message whose rest is no field of it: error header_malformed, and the result is false. That a message ended
/// before its damage cannot be seen, for nothing tells its length.
bool check_end_of_message(const container::Contents& contents, std::uint64_t end, std::vector<Diagnostic>& diagnostics);

}  // namespace opdebug::dump_stage
