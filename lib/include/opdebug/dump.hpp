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

/// A decoded dump. Unknown is empty, never a guess.
struct Dump {
    std::string file;  ///< as given; empty when decoded from memory without a name
    std::optional<DumpName> name;
    PathIds path_ids;
    std::optional<std::uint64_t> timestamp_us;  ///< from the name, else from the container's header; UTC
    std::optional<Container> container;         ///< nothing when it was read from converted JSON
    std::vector<DecodedPayload> payloads;       ///< one per output; normally one
    bool records_missing = false;               ///< a record that the file should hold could not be decoded
    std::vector<Diagnostic> diagnostics;        ///< of the file, its payloads and its status words

    /// Any record overflowed; nothing when no record that is there overflowed but some are missing.
    OPDEBUG_API std::optional<bool> overflow() const noexcept;
    /// False when the file was damaged: it has a diagnostic of severity error.
    OPDEBUG_API bool complete() const noexcept;
};

/// What is known of a dump beside its bytes, and how it is read.
struct DecodeOptions {
    std::string file;  ///< path the bytes came from: gives name and path ids, and is named in errors
    /// The file's real name where `file` is called by a number because its name was too long (mapping.csv).
    /// decode_file() looks it up itself.
    std::string real_name;
    std::shared_ptr<const StatusCatalogue> catalogue;  ///< null: the built-in one
    /// decode_file(): what the path's own folders leave open of Dump::path_ids is read from where its links lead. That
    /// asks the system for each folder of the path; false for who needs no ids.
    bool ids_behind_links = true;
    Limits limits;
};

/// Decodes a dump from memory: a container, or the JSON that msaccucmp, MindSpore or msprobe made of one (its
/// diagnostic converted_json says so). The bytes need only live during the call. Errors: everything from empty_file to
/// record_truncated, with the offset, and those of limits; a dump that is partly usable is returned with diagnostics
/// instead. Thread-safe.
OPDEBUG_API Result<Dump> decode(Bytes bytes, const DecodeOptions& options = {});

/// Reads and decodes a file. Errors: those of decode() and of reading (file_not_found, permission_denied, is_directory,
/// not_a_regular_file, read_failed, file_too_large). Thread-safe.
OPDEBUG_API Result<Dump> decode_file(const std::string& path, const DecodeOptions& options = {});

}  // namespace v0
}  // namespace opdebug
