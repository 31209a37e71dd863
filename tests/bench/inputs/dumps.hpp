// The job's dumps.
#pragma once

#include <cstdint>
#include <filesystem>

#include "job.hpp"
#include "wire.hpp"

namespace opdebug::bench {

/// The overflow dump: of five payloads four are legacy ones and one has accelerator entries; one of 40 has no overflow.
test::Buffer overflow_dump_bytes(const Overflow& overflow);
std::string overflow_dump_name(const Overflow& overflow);

/// The dump of the operator itself: two inputs and one output of 256 float16 values, the output with an Inf.
test::Buffer op_dump_bytes(const Overflow& overflow);
std::string op_dump_name(const Overflow& overflow);

/// The first `count` overflows, each with its operator's dump if requested, in folders of 10 below `root`.
void write_tree(const std::filesystem::path& root, std::uint64_t count, bool with_op_dumps);

/// The overflow dumps alone, all in one folder.
void write_flat_folder(const std::filesystem::path& folder, std::uint64_t count);

}  // namespace opdebug::bench
