// Pieces that the JSON documents share. Keys are always present; what is unknown is null.
#include "report/json/json_parts.hpp"

#include "remarks/diagnose.hpp"
#include "report/text/code_texts.hpp"
#include "report/text/joined_lists.hpp"

namespace opdebug::report {
namespace {

template <class Word>
void write_one_or_list(std::string_view name, const std::vector<Word>& words, JsonWriter& json) {
    words.size() == 1 ? json.member(name, words.front()) : json.member(name, words);
}

void write_explanation(const StatusExplanation& status, Language language, JsonWriter& json) {
    json.value([&] {
        json.member("unit", unit_name(status.unit));
        write_words("status", status.words, json);
        write_hex_words("status_hex", status.words, json);
        json.member("overflow", status.overflow);
        write_causes(status, language, json);
        json.member("diagnostics", status.diagnostics);
    });
}

}  // namespace

void write_fields(const Record& record, JsonWriter& json) {
    for (const FieldValue& field : record.fields) {
        json.key(field_key(field.field));
        field_is_address(field.field) ? json.value(hex(field.value)) : json.value(field.value);
    }
}

void write_words(std::string_view name, const std::vector<std::uint64_t>& words, JsonWriter& json) {
    write_one_or_list(name, words, json);
}

void write_hex_words(std::string_view name, const std::vector<std::uint64_t>& words, JsonWriter& json) {
    write_one_or_list(name, mapped(words, hex), json);
}

void write_causes(const StatusExplanation& status, Language language, JsonWriter& json) {
    json.objects("causes", status.causes, [&](const Cause& cause) {
        json.member("id", cause.definition->id);
        json.member("bits", hex(cause.bits));
        json.member("name", cause.definition->name.in(language));
        json.member("text", cause.definition->text.in(language));
        json.member("advice", cause.definition->advice.in(language));
        json.member("source", cause.definition->source);
    });
    write_hex_words("undocumented_bits", status.undocumented_bits, json);
}

void write_members(const Diagnostic& diagnostic, JsonWriter& json) {
    json.member("severity", diagnostic.severity);
    json.member("code", diagnostic.code);
    json.member("message", diagnostic.message);
    if (!diagnostic.message_zh.empty()) {
        json.member("message_zh", diagnostic.message_zh);
    }
}

void write_members(const Error& error, JsonWriter& json) {
    Error place = error;
    place.file.clear();  // the file is next to the message
    json.member("file", error.file);
    json.member("code", error.code);
    json.member("message", to_string(place));
}

std::string explanation_to_json(const StatusExplanation& status, const ReportOptions& options) {
    JsonWriter json(options);
    write_explanation(status, options.language, json);
    return json.take();
}

std::string codes_to_json(const std::vector<CodeText>& codes) {
    return JsonWriter::document("opdebug.explanations/1", ReportOptions(), [&](JsonWriter& json) {
        json.objects("codes", codes, [&](const CodeText& code) {
            json.member("code", code.code);
            json.member("kind", code.kind);
            json.text_member("name", code.name);
            json.member("text", code.text);
            json.text_member("advice", code.advice);
            json.text_member("source", code.source);
        });
    });
}

std::string files_to_json(const std::vector<std::string>& files, const std::vector<Error>& failures,
                          const std::vector<Diagnostic>& diagnostics, const ReportOptions& options) {
    return JsonWriter::document("opdebug.files/1", options, [&](JsonWriter& json) {
        json.member("files", files);
        json.member("failures", failures);
        json.member("diagnostics", diagnostics);
    });
}

/// A type without numbers has not zero NaN: it is not known what it has.
static void write_members(const std::optional<TensorStatistics>& statistics, JsonWriter& json) {
    const TensorStatistics values = statistics.value_or(TensorStatistics());
    const auto write_count = [&](const char* name, std::uint64_t count) {
        json.member(name, statistics ? std::optional(count) : std::nullopt);
    };
    json.member("max", values.max);
    json.member("min", values.min);
    json.member("mean", values.mean);
    write_count("nan", values.nan);
    write_count("pos_inf", values.pos_inf);
    write_count("neg_inf", values.neg_inf);
    write_count("saturated", values.saturated);
    write_count("subnormal", values.subnormal);
    write_count("zero", values.zero);
}

void write_members(const DumpedTensor& tensor, JsonWriter& json) {
    json.member("kind", tensor.kind);
    json.member("index", tensor.index);
    json.member("dtype", tensor.dtype);
    json.member("format", tensor.format);
    json.member("shape", tensor.shape);
    json.member("elements", tensor.elements);
    write_members(tensor.statistics, json);
    json.member("diagnostics", tensor.diagnostics);
}

void write_members(const Origin& origin, JsonWriter& json) {
    json.member("verdict", origin.verdict);
    json.member("because", origin.because);
    json.member("bad_input", origin.bad_input);
    json.member("bad_output", origin.bad_output);
}

void write_members(const ScanGroup& group, JsonWriter& json) {
    json.member("by", [&] {
        json.member("cause", group.cause);
        json.text_member("operator_type", group.operator_type);
        json.text_member("operator", group.operator_name);
        json.text_member("model", group.model);
    });
    json.member("count", group.count);
    json.member("ranks", group.ranks);
    json.member("devices", group.devices);
    json.member("first", group.first_us);
    json.member("last", group.last_us);
    json.member("steps", group.steps);
    json.member("bursts", group.bursts);
    json.member("first_file", group.first_file);
    json.member("remarks", group.remarks);
}

static void write_members(const ChainLink& link, JsonWriter& json) {
    json.member("position", link.position);
    json.member("file", link.file);
    json.member("timestamp_us", link.timestamp_us);
    json.text_member("operator_type", link.operator_type);
    json.text_member("operator", link.operator_name);
    json.member("verdict", link.origin ? std::optional(link.origin->verdict) : std::nullopt);
    json.member("bad_input", link.origin ? std::optional(link.origin->bad_input) : std::nullopt);
    json.member("bad_output", link.origin ? std::optional(link.origin->bad_output) : std::nullopt);
    json.member("op_dump", link.op_dump);
}

/// Writes the dump that a chain points out, with the reason of its verdict.
static void write_pointed_out(std::string_view name, const std::optional<ChainLink>& link, JsonWriter& json) {
    const auto members = [&] {
        write_members(*link, json);
        json.member("because", link->origin ? std::optional(link->origin->because) : std::nullopt);
    };
    link ? json.member(name, members) : json.null_member(name);
}

void write_members(const OverflowChain& chain, JsonWriter& json) {
    json.member("step", chain.step);
    json.member("rank", chain.rank);
    json.member("device_id", chain.device_id);
    json.member("folder_time", chain.folder_time);
    json.text_member("model", chain.model);
    json.member("count", chain.count);
    json.member("verdicts", [&] {
        json.member("born_here", chain.born_here);
        json.member("inherited", chain.inherited);
        json.member("not_visible", chain.not_visible);
        json.member("not_measured", chain.not_measured);
    });
    json.member("first", chain.first_us);
    json.member("last", chain.last_us);
    write_pointed_out("first_bad", chain.first_bad, json);
    write_pointed_out("first_born_here", chain.first_born_here, json);
    json.member("inherited_after", chain.inherited_after);
    json.member("dumps", chain.links);
    json.member("remarks", chain.remarks);
}

}  // namespace opdebug::report

std::string opdebug::status_to_json(const std::vector<StatusExplanation>& explanations, const ReportOptions& options) {
    report::JsonWriter json(options);
    json.begin_array();
    for (const StatusExplanation& status : explanations) {
        report::write_explanation(status, options.language, json);
    }
    json.end_array();
    return json.take();
}

std::string opdebug::tensors_to_json(const OpDump& dump, const ReportOptions& options) {
    return report::JsonWriter::document("opdebug.tensors/1", options, [&](report::JsonWriter& json) {
        json.member("file", dump.file);
        json.text_member("op_type", dump.op_type);
        json.text_member("op_name", dump.op_name);
        json.member("task_id", dump.task_id);
        json.member("stream_id", dump.stream_id);
        json.member("timestamp_us", dump.timestamp_us);
        json.member("tensors", dump.tensors);
        json.member("diagnostics", dump.diagnostics);
    });
}

std::string opdebug::tensors_failure_to_json(const Error& error, const ReportOptions& options) {
    OpDump dump;
    dump.file = error.file;
    if (const auto name = parse_dump_name(file_name_of(error.file))) {
        dump.op_type = name->op_type;
        dump.op_name = name->op_name;
        dump.task_id = name->task_id;
        dump.stream_id = name->stream_id;
        dump.timestamp_us = name->timestamp_us;
    }
    Error place = error;
    place.file.clear();  // the document names it already
    dump.diagnostics.push_back(remarks::diagnose(place));
    return tensors_to_json(dump, options);
}
