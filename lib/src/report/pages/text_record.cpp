// A decoded dump as a page for people: what happened, in which operator, when, and the evidence.
#include <string>

#include <fmt/format.h>

#include <opdebug/report.hpp>
#include <opdebug/status.hpp>

#include "report/pages/text_tensor.hpp"
#include "report/text/labels.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {
namespace {

std::string bit_numbers(std::uint64_t bits) {
    std::string text;
    for (unsigned bit = 0; bit < 64; ++bit) {
        if ((bits >> bit & 1U) != 0) {
            text += fmt::format("{}{}", text.empty() ? "" : ", ", bit);
        }
    }
    return text;
}

bool any_bit(const std::vector<std::uint64_t>& words) {
    for (const std::uint64_t word : words) {
        if (word != 0) {
            return true;
        }
    }
    return false;
}

/// "[2] " of several words.
std::string word_number(std::size_t index, std::size_t count) {
    return count > 1 ? fmt::format("[{}] ", index + 1) : "";
}

/// "bit 5 (0x20)", "bits 3, 4 (0x18)".
std::string show_bits(std::uint64_t bits, Language language) {
    const bool single = (bits & (bits - 1)) == 0;
    const std::string_view word = language == Language::chinese ? "位" : single ? "bit" : "bits";
    return fmt::format("{} {} ({})", word, bit_numbers(bits), hex(bits));
}

std::string undocumented_to_text(const StatusExplanation& status, Language language) {
    std::string text;
    for (std::size_t i = 0; i < status.undocumented_bits.size(); ++i) {
        if (status.undocumented_bits[i] != 0) {
            text += fmt::format("{}{}{}", text.empty() ? "" : "; ", word_number(i, status.undocumented_bits.size()),
                                show_bits(status.undocumented_bits[i], language));
        }
    }
    return text;
}

/// "32 (0x20)", or the four words of a version-1 record.
std::string show_words(const std::vector<std::uint64_t>& words) {
    std::string decimal, hexadecimal;
    for (const std::uint64_t word : words) {
        decimal += fmt::format("{}{}", decimal.empty() ? "" : ", ", word);
        hexadecimal += fmt::format("{}{}", hexadecimal.empty() ? "" : ", ", hex(word));
    }
    return fmt::format("{} ({})", decimal, hexadecimal);
}

/// Cause, text, advice and source of each cause, and the undocumented bits, indented by `indent` blanks.
std::string causes_to_text(const StatusExplanation& status, Language language, std::size_t indent) {
    const Labels& labels = labels_in(language);
    const std::string margin(indent, ' ');
    std::string text;
    for (const Cause& cause : status.causes) {
        const CauseDefinition& definition = *cause.definition;
        text += fmt::format("{}{}: {} [{}], {}\n", margin, labels.cause, printable(definition.name.in(language)),
                            printable(definition.id), show_bits(cause.bits, language));
        text += fmt::format("{}  {}\n", margin, printable(definition.text.in(language)));
        text += fmt::format("{}  {}: {}\n", margin, labels.advice, printable(definition.advice.in(language)));
        text += fmt::format("{}  {}: {}\n", margin, labels.source, printable(definition.source));
    }
    if (status.causes.empty() && any_bit(status.words)) {
        text += fmt::format("{}{}: {}\n", margin, labels.cause, labels.no_cause);
    }
    if (any_bit(status.undocumented_bits)) {
        text += fmt::format("{}{}: {}\n", margin, labels.undocumented, undocumented_to_text(status, language));
    }
    return text;
}

}  // namespace

}  // namespace opdebug::report

std::string opdebug::status_to_text(const StatusExplanation& status, const ReportOptions& options) {
    const report::Labels& labels = report::labels_in(options.language);
    std::string text = fmt::format("{} {} {}: {}\n", unit_name(status.unit), labels.status,
                                   report::show_words(status.words), status.overflow ? labels.overflow : labels.clean);
    for (std::size_t i = 0; i < status.words.size(); ++i) {
        text += fmt::format("  {}{:#b}\n", report::word_number(i, status.words.size()), status.words[i]);
    }
    for (const StatusCode& code : status.codes) {
        text += fmt::format("  {} {}..{} = {:#x}\n", labels.bits, code.low_bit, code.high_bit, code.value);
    }
    text += report::causes_to_text(status, options.language, 2);
    for (const Diagnostic& remark : status.diagnostics) {
        text += fmt::format("  {}: {}\n", report::severity_label(remark.severity, labels), printable(remark.message));
    }
    return text;
}

namespace opdebug {
inline namespace v0 {
namespace {

using report::Labels;

constexpr std::size_t kProofLength = 400;

/// "  label     text": the label padded to a common column.
std::string line(std::string_view label, const std::string& text) {
    constexpr std::size_t kColumn = 18;
    const std::size_t used = report::display_columns(label);
    return fmt::format("  {}{}{}\n", label, std::string(used < kColumn ? kColumn - used : 1, ' '), text);
}

std::string headline(const Dump& dump, const Labels& labels, Language language) {
    const std::optional<bool> overflow = dump.overflow();
    std::string text(overflow ? *overflow ? labels.overflow : labels.clean : labels.unknown_overflow);
    std::string causes;
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            if (!record.overflow) {
                continue;
            }
            std::string names;
            for (const Cause& cause : record.status.causes) {
                names += fmt::format("{}{}", names.empty() ? "" : ", ", printable(cause.definition->name.in(language)));
            }
            causes += fmt::format("{}{} ({})", causes.empty() ? ": " : "; ",
                                  names.empty() ? std::string(labels.no_cause) : names, unit_name(record.unit));
        }
    }
    return text + causes + "\n";
}

std::string show_place(const PathIds& ids, const Labels& labels) {
    std::string text;
    const auto add = [&text](std::string_view name, const auto& value) {
        if (value) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, *value);
        }
    };
    add("rank", ids.rank);
    add("device", ids.device_id);
    add(labels.path_model, ids.model_name ? std::optional<std::string>(printable(*ids.model_name)) : std::nullopt);
    add(labels.path_model_id, ids.model_id);
    add(labels.data_index, ids.data_index);
    add(labels.folder_time, ids.time);
    return text;
}

/// The fields of a record as "key value", ids or addresses.
std::string show_fields(const Record& record, bool addresses) {
    std::string text;
    for (const FieldValue& field : record.fields) {
        if (field_is_address(field.field) == addresses) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", field_key(field.field),
                                addresses ? report::hex(field.value) : fmt::to_string(field.value));
        }
    }
    return text;
}

std::string records_to_text(const Dump& dump, const Labels& labels, Language language) {
    std::string text;
    for (const DecodedPayload& payload : dump.payloads) {
        for (const Record& record : payload.records) {
            if (!record.status.overflow) {
                continue;
            }
            text += fmt::format("\n{}{}: {} {}\n", unit_name(record.unit),
                                record.inferred ? fmt::format(" ({})", labels.inferred) : "", labels.status,
                                report::show_words(record.status.words));
            text += report::causes_to_text(record.status, language, 2);
            text += line(labels.task, show_fields(record, false));
            if (const std::string addresses = show_fields(record, true); !addresses.empty()) {
                text += line(labels.address, addresses);
            }
        }
    }
    return text;
}

std::string show_operator(const OperatorAnswer& answer, const Labels& labels) {
    return fmt::format("{} ({}) [{}]", printable(answer.name.value_or(answer.kernel.value_or("?"))),
                       answer.type ? printable(*answer.type) : std::string(labels.type_unknown),
                       to_string(answer.confidence));
}

std::string show_model(const LocatedModel& model, const Labels& labels) {
    std::string ids;
    const auto add = [&ids](std::string_view name, const std::optional<std::uint64_t>& id) {
        if (id) {
            ids += fmt::format("{}{} {}", ids.empty() ? "" : ", ", name, *id);
        }
    };
    add(labels.runtime_id, model.runtime_id);
    add(labels.ge_id, model.ge_id);
    add(labels.graph_id, model.graph_id);
    const std::string name = model.name ? printable(*model.name) : "?";
    return ids.empty() ? name : fmt::format("{} ({})", name, ids);
}

std::string evidence_to_text(const std::vector<Evidence>& evidence, const Labels& labels) {
    std::string text;
    for (const Evidence& item : evidence) {
        text += line(labels.proof, fmt::format("{} {}{}", to_string(item.kind), printable(item.file),
                                               item.line ? fmt::format(":{}", *item.line) : ""));
        const std::string shown = printable(item.text.substr(0, kProofLength));
        text += fmt::format("      {}{}\n", shown, item.text.size() > kProofLength ? " ..." : "");
    }
    return text;
}

std::string operator_to_text(const std::optional<LocatedOperator>& located, const Labels& labels) {
    if (!located) {
        return line(labels.op, std::string(labels.not_found));
    }
    std::string text = line(labels.op, show_operator(located->best, labels));
    if (located->best.kernel) {
        text += line(labels.kernel, printable(*located->best.kernel));
    }
    text += evidence_to_text(located->best.evidence, labels);
    for (const OperatorAnswer& candidate : located->candidates) {
        text += line(labels.candidates, show_operator(candidate, labels));
    }
    return text;
}

std::string model_to_text(const std::optional<LocatedModel>& model, const Labels& labels) {
    if (!model) {
        return line(labels.model, std::string(labels.not_found));
    }
    return line(labels.model, show_model(*model, labels)) + evidence_to_text(model->evidence, labels);
}

/// The verdict, and the tensors that it rests on.
std::string origin_to_text(const TensorEvidence& evidence, const Labels& labels, Language language) {
    if (!evidence.origin) {
        return line(labels.origin, std::string(labels.not_measured));
    }
    std::string text = line(labels.origin, fmt::format("{}: {}", verdict_label(evidence.origin->verdict, labels),
                                                       printable(evidence.origin->because)));
    if (evidence.op_dump) {
        text += report::tensors_table(evidence.op_dump->tensors, language);
    }
    return text;
}

std::string remarks_to_text(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                            const Labels& labels) {
    std::string text;
    for (const auto* list : {&dump.diagnostics, &location.diagnostics, &evidence.diagnostics}) {
        for (const Diagnostic& remark : *list) {
            text += fmt::format("  {} [{}] {}\n", report::severity_label(remark.severity, labels),
                                printable(remark.code), printable(remark.message));
        }
    }
    return text.empty() ? text : fmt::format("\n{}\n{}", labels.remarks, text);
}

}  // namespace

std::string failure_to_text(const Error& error, const ReportOptions& options) {
    return fmt::format("{} [{}] {}\n", report::labels_in(options.language).error, to_string(error.code),
                       printable(to_string(error)));
}

std::string record_to_text(const Dump& dump, const Location& location, const ReportOptions& options) {
    return record_to_text(dump, location, TensorEvidence(), options);
}

std::string record_to_text(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                           const ReportOptions& options) {
    const Labels& labels = report::labels_in(options.language);
    std::string text = headline(dump, labels, options.language);
    if (!dump.complete()) {
        text += fmt::format("{}\n", labels.damaged);
    }
    if (dump.overflow().value_or(false)) {
        text += "\n" + operator_to_text(location.op, labels) + model_to_text(location.model, labels);
        if (options.tensors) {
            text += origin_to_text(evidence, labels, options.language);
        }
    }
    text += records_to_text(dump, labels, options.language);
    text += "\n" + line(labels.file, printable(dump.file));
    if (dump.timestamp_us) {
        text += line(labels.time, report::show_time(*dump.timestamp_us));
    }
    if (const std::string place = show_place(dump.path_ids, labels); !place.empty()) {
        text += line(labels.place, place);
    }
    return text + remarks_to_text(dump, location, evidence, labels);
}

}  // namespace v0
}  // namespace opdebug
