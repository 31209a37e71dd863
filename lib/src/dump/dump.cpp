// One dump from bytes: container → payloads → records, every byte accounted for.
#include <opdebug/dump.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "bytes/file.hpp"
#include "container/container.hpp"
#include "dump/appended.hpp"
#include "dump/outputs.hpp"

namespace opdebug {
namespace {

/// An OpDebug dump has about 2 KB; this leaves room for one that was appended to thousands of times.
constexpr std::uint64_t kFileLimit = 64ULL << 20U;

void set_names(Dump& dump, const std::string& file) {
    dump.file = file;
    dump.name = parse_dump_name(file_name_of(file));
    dump.path_ids = parse_path_ids(file);
    if (dump.name && dump.name->is_overflow_dump && !dump.name->documented_spelling) {
        dump.diagnostics.push_back(
            {Severity::info, "name_spelling",
             fmt::format(
                 "the file is called {}.{}, every known writer spells Opdebug.Node_OpDebug; other tools overlook it",
                 dump.name->op_type, dump.name->op_name)});
    }
}

void set_time(Dump& dump, const container::Contents& contents) {
    if (dump.name) {
        dump.timestamp_us = dump.name->timestamp_us;
    }
    if (!dump.timestamp_us) {
        dump.timestamp_us = contents.dump_time_us;
    } else if (contents.dump_time_us && contents.dump_time_us != dump.timestamp_us) {
        dump.diagnostics.push_back(
            {Severity::info, "dump_time_differs",
             fmt::format(
                 "the file name says {} us, the header {} us; writers use one number for both, so the file was renamed "
                 "or changed; the name's time is used",
                 *dump.timestamp_us, *contents.dump_time_us)});
    }
}

/// Brings the remarks on status words up to the dump, each with the unit it speaks of.
void lift_status_remarks(Dump& dump) {
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            for (const Diagnostic& remark : record.status.diagnostics) {
                dump.diagnostics.push_back(
                    {remark.severity, remark.code, fmt::format("{}: {}", unit_name(record.unit), remark.message)});
            }
        }
    }
}

}  // namespace

std::optional<bool> Dump::overflow() const noexcept {
    for (const DecodedPayload& payload : payloads) {
        for (const Record& record : payload.records) {
            if (record.overflow) {
                return true;
            }
        }
    }
    return records_missing ? std::nullopt : std::optional<bool>(false);
}

bool Dump::complete() const noexcept {
    return std::none_of(diagnostics.begin(), diagnostics.end(),
                        [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

Result<Dump> decode(Bytes bytes, const DecodeOptions& options) {
    const auto catalogue = options.catalogue ? options.catalogue : built_in_status_catalogue();
    Dump dump;
    set_names(dump, options.file);
    const Result<container::Contents> contents = container::read_container(bytes, bytes.size());
    std::optional<Error> error;
    if (!contents) {
        error = contents.error();
    } else {
        dump.container = contents->form;
        set_time(dump, *contents);
        error = dump_stage::decode_outputs(bytes, *contents, *catalogue, dump);
    }
    if (error) {
        error->file = options.file;
        return *error;
    }
    dump_stage::decode_appended(bytes, *contents, *catalogue, dump);
    lift_status_remarks(dump);
    return dump;
}

Result<Dump> decode_file(const std::string& path, const DecodeOptions& options) {
    Result<std::vector<std::uint8_t>> content = bytes::read_file(path, kFileLimit);
    if (!content) {
        Error error = content.error();
        if (error.code == ErrorCode::file_too_large) {
            error.message += "; an overflow dump has about 2 KB, so this is something else, perhaps an operator's dump";
        }
        return error;
    }
    DecodeOptions named = options;
    named.file = path;
    Result<Dump> dump = decode(*content, named);
    if (dump) {
        dump->path_ids = path_ids_of_file(path);
    }
    return dump;
}

}  // namespace opdebug
