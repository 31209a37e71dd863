// One overflow dump: its container, its records, and what their status words mean.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

namespace opdebug {
inline namespace v0 {

// The forms a dump file can have, and what its tensors are.

/// dump_data_v2: u64 length, header message, raw bytes. dump_data_v1: one message that holds the bytes. nano: the TLV
/// form of nano chips. Source: msaccucmp's readers; see docs/internals/formats.md.
enum class Container { dump_data_v2, dump_data_v1, nano };

/// "dump_data_v2", "dump_data_v1" or "nano". Static storage.
OPDEBUG_API std::string_view to_string(Container container) noexcept;

/// What a tensor of a dump is to its operator.
enum class TensorKind { input, output };

/// "input" or "output". Static storage.
OPDEBUG_API std::string_view to_string(TensorKind kind) noexcept;

// Meaning of a status number, from a catalogue of documented bits and codes.
//
// Sources: the CANN overflow guides (AI Core bits, DHA and L2 codes), the STATUS register description of A2/A3/950
// chips, and newer guides. The newer guides only document "status greater than 0 means overflow". If they disagree,
// both meanings are listed.

/// The hardware unit that a register record belongs to.
enum class Unit { ai_core, dha_atomic, l2_atomic, aic, aiv, aicpu, sdma };

/// The name in documents and JSON: "AI Core", "DHA Atomic Add", "L2 Atomic Add", "AIC", "AIV", "AICPU", "SDMA".
OPDEBUG_API std::string_view unit_name(Unit unit) noexcept;
/// The command-line spelling: "ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu", "sdma".
OPDEBUG_API std::string_view unit_key(Unit unit) noexcept;
/// The unit with that name or spelling, without regard to case, blanks, '-' and '_'.
OPDEBUG_API std::optional<Unit> unit_from_key(std::string_view key) noexcept;

/// Meaning of a bit: an overflow of this operator, a result that is too small for its type, or an operand that was
/// already NaN or infinite.
enum class CauseKind { overflow, underflow, nan_operand };

/// One entry of the status catalogue. Immutable and shared.
struct CauseDefinition {
    std::string id;           ///< stable, for example "ai_core.float_overflow"
    std::uint64_t mask = 0;   ///< bits to compare
    std::uint64_t value = 0;  ///< value of these bits (equal to `mask` for a flag)
    CauseKind kind = CauseKind::overflow;
    LocalizedText name;
    LocalizedText text;
    LocalizedText advice;
    LocalizedText brief;  ///< `text` in a few words; empty: none
    LocalizedText next;   ///< `advice` in one line; empty: none
    std::string source;   ///< document with the meaning
};

/// A cause in a status.
struct Cause {
    std::shared_ptr<const CauseDefinition> definition;  ///< never null
    std::uint64_t bits = 0;                             ///< the bits of the status
};

/// A documented group of bits that is read as a number, for example DHA bits 8..15.
struct StatusCode {
    unsigned low_bit = 0;
    unsigned high_bit = 0;
    std::uint64_t value = 0;
};

/// Meaning of a status. `words` and `undocumented_bits` have the same length: 1, or 4 for an accelerator record of
/// version 1. Only the first word is looked up, because the others are not documented.
struct StatusExplanation {
    Unit unit = Unit::ai_core;
    std::vector<std::uint64_t> words;
    bool overflow = false;          ///< any word is not 0: the rule of the official converter and of newer documents
    std::vector<Cause> causes;      ///< in order of their lowest bit
    std::vector<StatusCode> codes;  ///< groups of bits that are numbers
    std::vector<std::uint64_t> undocumented_bits;  ///< for each word: set bits without a documented meaning
    std::vector<Diagnostic> diagnostics;
};

/// A catalogue of status bits. Immutable; threads may share it.
class StatusCatalogue;

/// The built-in catalogue, always the same object. Thread-safe.
OPDEBUG_API std::shared_ptr<const StatusCatalogue> built_in_status_catalogue();

/// Parses a catalogue from JSON files (docs/guides/own-formats.md). Errors: catalogue_invalid with file name and
/// location; nesting_too_deep; name_too_long. Thread-safe.
OPDEBUG_API Result<std::shared_ptr<const StatusCatalogue>> load_status_catalogue(const std::vector<NamedText>& files,
                                                                                 const Limits& limits = {});

/// Explains a status. `words` contains one value, or four for an accelerator record of version 1; otherwise the error
/// is invalid_argument. Unknown bits are returned in undocumented_bits, not as an error. Thread-safe.
OPDEBUG_API Result<StatusExplanation> decode_status(Unit unit, const std::vector<std::uint64_t>& words);
/// The same with a given catalogue.
OPDEBUG_API Result<StatusExplanation> decode_status(const StatusCatalogue& catalogue, Unit unit,
                                                    const std::vector<std::uint64_t>& words);

// The payload of an OpDebug dump: register records, one per unit.

/// The fields of all record layouts. Ids are integers; addresses (pc_start, para_base, kernel_code, src_addr, dst_addr)
/// are device addresses and shown in hex. Source: official converter (msaccucmp), see docs/internals/formats.md.
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

/// One unit's record. Fields are in the order of the layout.
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

// One OpDebug dump, decoded: container, payload, records, causes.

/// A decoded dump. Unknown members are empty.
struct Dump {
    std::string file;  ///< as given; empty: decoded from memory without a name
    std::optional<DumpName> name;
    PathIds path_ids;
    std::optional<std::uint64_t> timestamp_us;  ///< from the name, else from the container's header; UTC
    std::optional<Container> container;         ///< empty: read from converted JSON
    std::vector<DecodedPayload> payloads;       ///< one per output; normally one
    bool records_missing = false;               ///< a record could not be decoded
    std::vector<Diagnostic> diagnostics;        ///< about file, payloads and status words

    /// Whether any record overflowed. Empty if records are missing and no other record overflowed.
    OPDEBUG_API std::optional<bool> overflow() const noexcept;
    /// False if the file is damaged: a diagnostic has severity error.
    OPDEBUG_API bool complete() const noexcept;
};

/// Facts about a dump besides its bytes, and how it is read.
struct DecodeOptions {
    std::string file;  ///< path of the bytes: for name, path ids and errors
    /// The real name if `file` is a number because the name was too long (mapping.csv). decode_file() looks it up.
    std::string real_name;
    std::shared_ptr<const StatusCatalogue> catalogue;  ///< null: the built-in one
    /// decode_file(): read unknown path ids from the targets of links. This costs a system call for each folder of the
    /// path.
    bool ids_behind_links = true;
    Limits limits;
};

/// Decodes a dump from memory: a container, or the JSON that msaccucmp, MindSpore or msprobe made of it (diagnostic
/// converted_json). `bytes` must be valid during the call. Errors: empty_file to record_truncated, with the offset;
/// those of limits. A partly usable dump is a value with diagnostics. Thread-safe.
OPDEBUG_API Result<Dump> decode(Bytes bytes, const DecodeOptions& options = {});

/// Reads and decodes a file. Errors: those of decode() and of reading (file_not_found, permission_denied, is_directory,
/// not_a_regular_file, read_failed, file_too_large). Thread-safe.
OPDEBUG_API Result<Dump> decode_file(const std::string& path, const DecodeOptions& options = {});

}  // namespace v0
}  // namespace opdebug
