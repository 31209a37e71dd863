// An operator dump: measures all tensors, or reads only the header.
#include "tensor/measure.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <opdebug/tensor.hpp>
#include <opdebug/tree.hpp>

#include "bytes/file.hpp"
#include "container/container.hpp"
#include "container/forms.hpp"
#include "remarks/diagnose.hpp"
#include "tree/mapping.hpp"

namespace opdebug {
namespace tensor_stage {

void set_names(OpDump& dump, const DumpName& name) {
    dump.op_type = name.op_type;
    dump.op_name = dump.op_name.empty() ? name.op_name : dump.op_name;
    dump.task_id = name.task_id;
    dump.stream_id = name.stream_id;
    dump.timestamp_us = name.timestamp_us ? name.timestamp_us : dump.timestamp_us;
    if (name.is_exception_dump) {
        const std::string& t = name.local_time;
        const LocalizedText core =
            name.core_id ? remarks::phrase("exception_dump_core",
                                           {{"type", name.core_type.value_or(0)}, {"core", *name.core_id}})
                         : LocalizedText();
        dump.diagnostics.push_back(remarks::diagnose(
            "exception_dump",
            {{"core", core},
             {"time", fmt::format("{}-{}-{} {}:{}:{}.{}", t.substr(0, 4), t.substr(4, 2), t.substr(6, 2),
                                  t.substr(8, 2), t.substr(10, 2), t.substr(12, 2), t.substr(14))}}));
    }
}

}  // namespace tensor_stage

inline namespace v0 {
namespace {

using tensor_stage::PieceReader;

bool has_error(const std::vector<Diagnostic>& diagnostics) noexcept {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& diagnostic) { return diagnostic.severity == Severity::error; });
}

void set_names(OpDump& dump, const OpDumpOptions& options, const container::Contents& contents) {
    const std::string_view file_name = options.real_name.empty() ? file_name_of(options.file) : options.real_name;
    dump.file = options.file;
    dump.op_name = contents.op_name;
    dump.container = contents.form;
    dump.timestamp_us = contents.dump_time_us;
    if (const std::optional<DumpName> name = parse_dump_name(file_name)) {
        tensor_stage::set_names(dump, *name);
    }
}

/// Reports an overflow dump: it is a container too, but its bytes are a register record.
void tell_overflow_dump(OpDump& dump, const container::Contents& contents) {
    const std::optional<DumpName> name = parse_dump_name(file_name_of(dump.file));
    if (container::header_names_overflow_dump(contents) || (name && name->is_overflow_dump)) {
        dump.diagnostics.push_back(remarks::diagnose("overflow_dump"));
    }
}

/// Compares the header with the file. A v1 file ends with its message.
void compare_with_file(OpDump& dump, const container::Contents& contents, std::uint64_t file_size) {
    if (contents.size_overflow) {
        dump.diagnostics.push_back(remarks::diagnose(
            "size_overflow.tensors",
            {{"error", LocalizedText{contents.size_overflow->message, remarks::text_of(*contents.size_overflow).zh}}}));
    } else if (contents.rest_fault) {
        dump.tensors_missing = true;
        dump.diagnostics.push_back(remarks::diagnose(
            "header_malformed.tensors", {{"error", remarks::text_of(*contents.rest_fault)}, {"end", contents.end}}));
    } else if (contents.end > file_size) {
        dump.diagnostics.push_back(
            remarks::diagnose("tensors_beyond_file.tensors", {{"end", contents.end}, {"file_end", file_size}}));
    } else if (contents.end < file_size) {
        const std::uint64_t trailing = file_size - contents.end;
        dump.diagnostics.push_back(
            remarks::diagnose("bytes_behind_tensors", {{"count", trailing}, {"place", contents.end}}));
    }
}

Result<OpDump> measure(Result<container::Contents> contents, PieceReader reader, const OpDumpOptions& options) {
    if (!contents) {
        Error error = contents.error();
        error.file = options.file;
        return error;
    }
    OpDump dump;
    set_names(dump, options, *contents);
    if (contents->form != Container::dump_data_v1) {
        container::mark_skipped_tensors(*contents, reader.size());
    }
    tell_overflow_dump(dump, *contents);
    compare_with_file(dump, *contents, reader.size());
    for (const std::vector<container::Tensor>* tensors : {&contents->inputs, &contents->outputs}) {
        for (const container::Tensor& tensor : *tensors) {
            Result<DumpedTensor> measured = tensor_stage::measure_tensor(tensor, contents->form, reader, options);
            if (!measured) {
                return measured.error();
            }
            dump.tensors.push_back(std::move(measured).value());
        }
    }
    return dump;
}

}  // namespace

bool OpDump::complete() const noexcept {
    return !has_error(diagnostics) && std::none_of(tensors.begin(), tensors.end(), [](const DumpedTensor& tensor) {
        return has_error(tensor.diagnostics);
    });
}

Result<OpDump> measure_op_dump(const std::string& path, const OpDumpOptions& options) {
    const Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return file.error();
    }
    OpDumpOptions named = options;
    named.file = path;
    std::optional<Error> without_name;
    if (named.real_name.empty()) {
        const Result<std::string> real_name = tree::real_name_of(path, options.limits);
        if (real_name) {
            named.real_name = *real_name;
        } else {
            without_name = real_name.error();
        }
    }
    const Result<bool> is_npy = tensor_stage::begins_as_npy(*file);
    Result<OpDump> dump = file_name_of(path).ends_with(".npy") || (is_npy && *is_npy)
                              ? tensor_stage::measure_npy(*file, named)
                              : measure(container::read_container(*file, options.limits), PieceReader(*file), named);
    if (dump && without_name) {
        dump->diagnostics.push_back(tree::mapping_remark(*without_name));
    }
    return dump;
}

Result<OpDump> measure_op_dump(Bytes bytes, const OpDumpOptions& options) {
    return measure(container::read_container(bytes, bytes.size(), options.limits), PieceReader(bytes), options);
}

}  // namespace v0
}  // namespace opdebug
