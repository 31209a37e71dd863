// One OpDebug dump, decoded: container, payload, records, causes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/bytes.hpp>
#include <opdebug/container.hpp>
#include <opdebug/limits.hpp>
#include <opdebug/record.hpp>
#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

namespace opdebug {
inline namespace v0 {

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
