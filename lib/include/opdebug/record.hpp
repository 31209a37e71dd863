// The payload of an OpDebug dump: register records, one per unit.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/status.hpp>

namespace opdebug {
inline namespace v0 {

/// The fields of all record layouts. Ids are integers; addresses (pc_start, para_base, kernel_code, src_addr, dst_addr)
/// are device addresses and shown in hex. Source: official converter (msaccucmp), see docs/format.md.
enum class Field {
    model_id,   ///< runtime model id, not the model id of the dump path
    stream_id,  ///< stream of the operator that overflowed
    task_id,    ///< task of the operator that overflowed; 16 bits, wraps
    task_type,  ///< the runtime's task type: 0 AI Core kernel, 1 AICPU, 5 memory copy, 52 FFTS+, 66 vector kernel, ...
    context_id,
    thread_id,
    cpu_id,
    pc_start,
    para_base,
    kernel_code,
    block_idx,
    core_id,
    block_id,
    src_addr,
    dst_addr,
    channel_id,
};

/// The key in JSON documents, for example "stream_id".
OPDEBUG_API std::string_view field_key(Field field) noexcept;
/// Whether the value is an address, written in hex.
OPDEBUG_API bool field_is_address(Field field) noexcept;

/// A field of a record.
struct FieldValue {
    Field field = Field::model_id;
    std::uint64_t value = 0;
};

/// One unit's record. Fields stand in the order of the layout.
struct Record {
    Unit unit = Unit::ai_core;
    bool overflow = false;  ///< status non-zero and the entry marked valid
    bool inferred = false;  ///< a later accelerator entry; its location is not documented
    std::vector<FieldValue> fields;
    StatusExplanation status;

    std::optional<std::uint64_t> field(Field wanted) const noexcept {
        for (const FieldValue& item : fields) {
            if (item.field == wanted) {
                return item.value;
            }
        }
        return std::nullopt;
    }
};

/// legacy: 2048 bytes with three units. accelerator: magic 0x5A5A5A5A, one unit per entry.
enum class Payload { legacy, accelerator };

/// "legacy" or "accelerator". Static storage.
OPDEBUG_API std::string_view to_string(Payload payload) noexcept;

/// Header of an accelerator record; the official converter prints it.
struct AcceleratorHeader {
    std::uint32_t magic = 0;
    std::uint32_t version = 0;
    std::uint32_t valid = 0;
    std::uint32_t acc_type = 0;
    std::uint32_t rsv = 0;
    std::uint32_t data_len = 0;
};

/// The decoded payload of one output of the container.
struct DecodedPayload {
    Payload kind = Payload::legacy;
    std::uint64_t output_index = 0;
    /// Time in the header of an appended dump, UTC microseconds. Empty for the first dump: see Dump.
    std::optional<std::uint64_t> timestamp_us;
    bool appended = false;                    ///< of a dump that is appended to the first one in the file
    bool complete = true;                     ///< false: units could not be read
    std::optional<AcceleratorHeader> header;  ///< accelerator payloads only: the first entry's
    std::vector<Record> records;
};

}  // namespace v0
}  // namespace opdebug
