// Texts as the official converter writes them, from the form that docs/internals/formats.md ("JSON output") gives.
#pragma once

#include <cstdint>
#include <string>

#include "payload_builder.hpp"

namespace opdebug::test {

/// For ai_core_example(status).
std::string official_ai_core_text(std::uint64_t status);

/// A version-1 AIV payload with one status bit, and the text for it.
AcceleratorPayload aiv_example();
std::string official_aiv_text();

}  // namespace opdebug::test
