// One dump from bytes: container → payloads → records, every byte accounted for.
#include <opdebug/dump.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "bytes/file.hpp"
#include "container/container.hpp"
#include "dump/converted.hpp"
#include "dump/dump.hpp"
#include "dump/outputs.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/mapping.hpp"
#include "tree/name.hpp"
#include "tree/path_ids.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

void set_time(Dump& dump, const container::Contents& contents) {
    if (!dump.timestamp_us) {
        dump.timestamp_us = contents.dump_time_us;
    } else if (contents.dump_time_us && contents.dump_time_us != dump.timestamp_us) {
        dump.diagnostics.push_back(remarks::diagnose(
            "dump_time_differs", {{"name_time", *dump.timestamp_us}, {"header_time", *contents.dump_time_us}}));
    }
}

/// Decodes the dump at byte 0. Returns the end of its bytes: the end from the header, the end of `bytes`, or the damage
/// of a v1 message. Reports the rest of a damaged message.
Result<std::size_t> decode_first(Bytes bytes, const StatusCatalogue& catalogue, dump_stage::RecordBudget& budget,
                                 Dump& dump) {
    const Result<container::Contents> contents = container::read_container(bytes, bytes.size(), budget.limits);
    if (!contents) {
        return contents.error();
    }
    dump.container = contents->form;
    set_time(dump, *contents);
    if (contents->size_overflow) {
        return *contents->size_overflow;
    }
    if (const auto error = dump_stage::decode_outputs(bytes, *contents, catalogue, budget, dump)) {
        return *error;
    }
    return dump_stage::end_of(*contents, bytes);
}

}  // namespace

}  // namespace v0
}  // namespace opdebug

namespace opdebug::dump_stage {

void set_names(Dump& dump, const std::string& file, std::string_view real_name) {
    const std::string_view name = real_name.empty() ? file_name_of(file) : real_name;
    dump.file = file;
    dump.name = tree::parse_name_of_dump(name);
    dump.timestamp_us = dump.name ? dump.name->timestamp_us : std::nullopt;
    dump.path_ids = parse_path_ids(file);
    if (dump.name && dump.name->is_overflow_dump && !dump.name->documented_spelling) {
        dump.diagnostics.push_back(
            remarks::diagnose("name_spelling", {{"type", dump.name->op_type}, {"name", dump.name->op_name}}));
    }
}

void lift_status_remarks(Dump& dump) {
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            for (const Diagnostic& remark : record.status.diagnostics) {
                dump.diagnostics.push_back(remarks::begin_with(std::string(unit_name(record.unit)), remark));
            }
        }
    }
}

Result<Dump> decode_named_file(const std::string& path, const Result<std::string>& real_name,
                               const DecodeOptions& options) {
    const Result<std::vector<std::uint8_t>> content = bytes::read_file(path, options.limits);
    if (!content) {
        Error error = content.error();
        if (error.code == ErrorCode::file_too_large) {
            error.message += "; an overflow dump has about 2 KB, so this is another file, possibly an operator dump";
        }
        return error;
    }
    DecodeOptions named = options;
    named.file = path;
    named.real_name = real_name ? *real_name : std::string();
    Result<Dump> dump = decode(*content, named);
    if (dump && !tree::shows_all_folders(path)) {  // otherwise they are known already
        dump->path_ids = tree::path_ids_as_written(path);
    }
    if (dump && !real_name) {
        dump->diagnostics.push_back(tree::mapping_remark(real_name.error()));
    }
    return dump;
}

}  // namespace opdebug::dump_stage

namespace opdebug {
inline namespace v0 {

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
    if (dump_stage::begins_like_json(bytes)) {
        return dump_stage::decode_converted(bytes.text(), options.file, *catalogue, options.limits);
    }
    Dump dump;
    dump_stage::set_names(dump, options.file, options.real_name);
    dump_stage::RecordBudget budget(options.limits);
    const std::vector<std::size_t> begins = dump_stage::further_dump_begins(bytes, options.limits);
    const Bytes first = bytes.slice(0, begins.empty() ? bytes.size() : begins.front());
    const Result<std::size_t> first_end = decode_first(first, *catalogue, budget, dump);
    if (!first_end) {
        dump_stage::PartFaults fault;
        dump_stage::add_fault(fault, first_end.error());
        dump_stage::report_faults(fault, "dumps", dump);
    }
    if (first_end || !begins.empty()) {
        dump_stage::decode_appended(bytes, first_end ? *first_end : first.size(), begins, *catalogue, budget, dump);
    }
    if (!first_end && dump.payloads.empty()) {
        Error error = first_end.error();
        error.file = options.file;
        return error;
    }
    dump_stage::report_left_out(budget, dump);
    dump_stage::lift_status_remarks(dump);
    return dump;
}

Result<Dump> decode_file(const std::string& path, const DecodeOptions& options) {
    Result<Dump> dump = dump_stage::decode_named_file(path, tree::real_name_of(path, options.limits), options);
    if (dump && options.ids_behind_links) {
        dump->path_ids = tree::with_ids_behind_links(std::move(dump->path_ids), tree::real_path(path));
    }
    return dump;
}

}  // namespace v0
}  // namespace opdebug
