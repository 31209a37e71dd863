// The forms a dump file can have, and what its tensors are.
#pragma once

#include <string_view>

#include <opdebug/export.h>

namespace opdebug {
inline namespace v0 {

/// dump_data_v2: u64 length, header message, raw bytes. dump_data_v1: one message that holds the bytes. nano: the TLV
/// form of nano chips. Source: msaccucmp's readers; see docs/format.md.
enum class Container { dump_data_v2, dump_data_v1, nano };

/// "dump_data_v2", "dump_data_v1" or "nano". Static storage.
OPDEBUG_API std::string_view to_string(Container container) noexcept;

/// What a tensor of a dump is to its operator.
enum class TensorKind { input, output };

/// "input" or "output". Static storage.
OPDEBUG_API std::string_view to_string(TensorKind kind) noexcept;

}  // namespace v0
}  // namespace opdebug
