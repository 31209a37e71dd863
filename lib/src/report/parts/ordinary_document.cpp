// Ordinary reports for merging: record documents and the last line. Keys: docs/json-output.md.
#include <algorithm>
#include <charconv>
#include <utility>

#include <opdebug/tree.hpp>

#include "record/layout.hpp"
#include "report/parts/exact_members.hpp"
#include "report/parts/part_lines.hpp"
#include "tree/name.hpp"

namespace opdebug::report {
namespace {

constexpr std::array kUnits{Unit::ai_core, Unit::dha_atomic, Unit::l2_atomic, Unit::aic,
                            Unit::aiv,     Unit::aicpu,      Unit::sdma};
constexpr std::array kContainers{Container::dump_data_v2, Container::dump_data_v1, Container::nano};
constexpr std::array kConfidences{Confidence::exact, Confidence::kernel, Confidence::type};
constexpr std::array kEvidence{EvidenceKind::op_dump, EvidenceKind::ge_log, EvidenceKind::runtime_log,
                               EvidenceKind::device_log, EvidenceKind::task_map};
constexpr std::array kOriginVerdicts{OriginVerdict::born_here, OriginVerdict::inherited, OriginVerdict::not_visible};

/// "0x1f".
std::optional<std::uint64_t> hex_number(const json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    std::uint64_t number = 0;
    const char* const end = text.data() + text.size();
    if (text.compare(0, 2, "0x") != 0) {
        return std::nullopt;
    }
    const auto read = std::from_chars(text.data() + 2, end, number, 16);
    return read.ec == std::errc() && read.ptr == end ? std::optional(number) : std::nullopt;
}

/// The fields that a unit's record has, in their order.
std::vector<Field> fields_of(Unit unit) {
    std::vector<Field> fields;
    for (const record::LegacyRow& row : record::kLegacyRows) {
        if (row.unit == unit) {
            fields.push_back(row.field);
        }
    }
    for (const record::AcceleratorLayout& layout : record::kAcceleratorLayouts) {
        if (layout.unit == unit) {
            fields.assign(layout.fields.begin(),
                          layout.fields.begin() + static_cast<std::ptrdiff_t>(layout.field_count));
        }
    }
    return fields;
}

/// Names of this program's catalogue are in both languages; what another one named keeps the document's words.
Cause read_cause(const json& object, const std::vector<Cause>& known, bool& sound) {
    const Members members(object, sound);
    CauseDefinition definition;
    members.text("id", definition.id);
    members.check(!definition.id.empty());
    for (const auto& [name, text] : {std::pair<const char*, LocalizedText&>("name", definition.name),
                                     {"text", definition.text},
                                     {"advice", definition.advice}}) {
        members.text(name, text.en);
        text.zh = text.en;
    }
    members.text("source", definition.source);
    const json* bits = members.find("bits");
    Cause cause{nullptr, bits != nullptr ? hex_number(*bits).value_or(0) : 0};
    const auto same = std::find_if(known.begin(), known.end(),
                                   [&](const Cause& other) { return other.definition->id == definition.id; });
    cause.definition =
        same != known.end() ? same->definition : std::make_shared<const CauseDefinition>(std::move(definition));
    return cause;
}

void read_status(const Members& members, Record& record, bool& sound) {
    std::vector<std::uint64_t> words;
    const json* status = members.find("status");
    members.check(status != nullptr);
    for (const json& word :
         status != nullptr && status->is_array() ? *status : json::array({status ? *status : json()})) {
        members.check(word.is_number_unsigned());
        words.push_back(word.is_number_unsigned() ? word.get<std::uint64_t>() : 0);
    }
    Result<StatusExplanation> explained = decode_status(record.unit, words);
    members.check(explained.ok());
    if (!explained) {
        return;
    }
    std::vector<Cause> causes;
    members.each("causes", [&](const json& cause) { causes.push_back(read_cause(cause, explained->causes, sound)); });
    record.status = *std::move(explained);
    record.status.causes = std::move(causes);
    const json* bits = members.find("undocumented_bits");
    const std::optional<std::uint64_t> undocumented = bits != nullptr ? hex_number(*bits) : std::nullopt;
    if (undocumented && words.size() == 1) {
        record.status.undocumented_bits = {*undocumented};
    }
}

Record read_record(const json& object, bool& sound) {
    const Members members(object, sound);
    Record record;
    std::string name;
    members.text("unit", name);
    const auto unit =
        std::find_if(kUnits.begin(), kUnits.end(), [&](Unit candidate) { return unit_name(candidate) == name; });
    members.check(unit != kUnits.end());
    record.unit = unit != kUnits.end() ? *unit : record.unit;
    members.truth("overflow", record.overflow);
    for (const Field field : fields_of(record.unit)) {
        if (const json* value = members.find(std::string(field_key(field)).c_str())) {
            const std::optional<std::uint64_t> number =
                value->is_number_unsigned() ? value->get<std::uint64_t>() : hex_number(*value);
            members.check(number.has_value());
            record.fields.push_back({field, number.value_or(0)});
        }
    }
    read_status(members, record, sound);
    return record;
}

/// Records of several payloads stand in one list: where the units of a legacy one begin again, a further one begins.
void add_record(Record record, Payload kind, std::vector<DecodedPayload>& payloads) {
    const auto place = [](Unit unit) {
        return std::find_if(record::kLegacyUnits.begin(), record::kLegacyUnits.end(),
                            [unit](const record::LegacyUnit& legacy) { return legacy.unit == unit; });
    };
    const bool begins = payloads.empty() || (kind == Payload::legacy && !payloads.back().records.empty() &&
                                             place(record.unit) <= place(payloads.back().records.back().unit));
    if (begins) {
        payloads.emplace_back().kind = kind;
    }
    payloads.back().records.push_back(std::move(record));
}

std::vector<Evidence> read_evidence(const Members& members, bool& sound) {
    std::vector<Evidence> evidence;
    members.each("evidence", [&](const json& object) {
        const Members of_item(object, sound);
        Evidence& item = evidence.emplace_back();
        of_item.word("kind", kEvidence, item.kind);
        of_item.text("file", item.file);
        of_item.number("line", item.line);
        of_item.text("text", item.text);
    });
    return evidence;
}

OperatorAnswer read_answer(const json& object, bool& sound) {
    const Members members(object, sound);
    OperatorAnswer answer;
    members.text("name", answer.name);
    members.text("type", answer.type);
    members.text("kernel", answer.kernel);
    members.word("confidence", kConfidences, answer.confidence);
    answer.evidence = read_evidence(members, sound);
    return answer;
}

void read_location(const Members& members, Location& location, bool& sound) {
    const json* op = members.find("operator");
    if (op != nullptr && !op->is_null()) {
        location.op.emplace().best = read_answer(*op, sound);
        Members(*op, sound).each("candidates", [&](const json& candidate) {
            location.op->candidates.push_back(read_answer(candidate, sound));
        });
        for (const Evidence& item : location.op->best.evidence) {
            if (item.kind == EvidenceKind::op_dump && !location.op_dump) {
                location.op_dump.emplace().file = item.file;
            }
        }
    }
    const json* model = members.find("model");
    if (model != nullptr && !model->is_null()) {
        const Members of_model(*model, sound);
        LocatedModel& located = location.model.emplace();
        of_model.text("name", located.name);
        of_model.number("runtime_id", located.runtime_id);
        of_model.number("ge_id", located.ge_id);
        of_model.number("graph_id", located.graph_id);
        located.evidence = read_evidence(of_model, sound);
    }
}

void read_path_ids(const Members& members, PathIds& ids, bool& sound) {
    if (const json* object = members.find("path_ids")) {
        const Members of_path(*object, sound);
        of_path.text("time", ids.time);
        of_path.number("device_id", ids.device_id);
        of_path.text("model_name", ids.model_name);
        of_path.number("model_id", ids.model_id);
        of_path.number("data_index", ids.data_index);
        of_path.number("rank", ids.rank);
    }
}

void read_dump(const Members& members, Dump& dump, bool& sound) {
    members.check(members.find("file") != nullptr);
    members.text("file", dump.file);
    members.number("timestamp_us", dump.timestamp_us);
    dump.name = tree::parse_name_of_dump(file_name_of(dump.file));
    read_path_ids(members, dump.path_ids, sound);
    if (const json* container = members.find("container"); container != nullptr && !container->is_null()) {
        members.word("container", kContainers, dump.container.emplace());
    }
    Payload kind = Payload::legacy;
    if (const json* payload = members.find("payload"); payload != nullptr && !payload->is_null()) {
        members.word("payload", std::array{Payload::legacy, Payload::accelerator}, kind);
    }
    members.each("records", [&](const json& record) { add_record(read_record(record, sound), kind, dump.payloads); });
    members.each("diagnostics", [&](const json& item) { dump.diagnostics.push_back(read_diagnostic(item, sound)); });
}

/// The first line of what a document says of tensors; the tensors themselves stay in the document.
void read_origin(const Members& members, TensorEvidence& evidence, bool& sound) {
    const json* object = members.find("origin");
    if (object == nullptr || object->is_null()) {
        return;
    }
    const Members of_origin(*object, sound);
    Origin& origin = evidence.origin.emplace();
    of_origin.word("verdict", kOriginVerdicts, origin.verdict);
    of_origin.text("because", origin.because);
    of_origin.truth("bad_input", origin.bad_input);
    of_origin.truth("bad_output", origin.bad_output);
}

/// Remarks on the operator's dump stand last, and do not say that the overflow dump is damaged.
void split_remarks(std::vector<Diagnostic>& of_dump, std::vector<Diagnostic>& of_tensors) {
    const auto first = std::find_if(of_dump.begin(), of_dump.end(), [](const Diagnostic& remark) {
        return remark.code == "op_dump_damaged" || remark.code == "op_dump_unreadable" ||
               (remark.severity == Severity::error && remark.message.compare(0, 14, "operator dump ") == 0);
    });
    of_tensors.assign(first, of_dump.end());
    of_dump.erase(first, of_dump.end());
}

}  // namespace

std::optional<DocumentedDump> read_record_document(std::string_view line) {
    const json object = parsed_line(line);
    bool sound = true;
    const Members members(object, sound);
    std::string schema;
    members.text("schema", schema);
    const json* overflow = members.find("overflow");
    if (schema != "opdebug.record/1" || overflow == nullptr || !overflow->is_boolean()) {
        return std::nullopt;
    }
    DocumentedDump read;
    Dump& dump = read.scanned.dump.emplace();
    read_dump(members, dump, sound);
    read_location(members, read.scanned.location, sound);
    read_origin(members, read.scanned.tensors, sound);
    split_remarks(dump.diagnostics, read.scanned.tensors.diagnostics);
    read.scanned.file = dump.file;
    read.scanned.state = overflow->get<bool>() ? DumpState::overflowed : DumpState::clean;
    read.tensors = members.find("tensors") != nullptr;
    read.item = scan_item_of(read.scanned);
    std::optional<std::string> host;
    members.text("host", host);
    read.item.host = host.value_or("");
    return sound ? std::optional(std::move(read)) : std::nullopt;
}

namespace {

ScanCounts read_counts(const json& object, bool& sound) {
    const Members members(object, sound);
    ScanCounts counts;
    members.number("dumps", counts.dumps);
    members.number("overflowed", counts.overflowed);
    members.number("clean", counts.clean);
    members.number("failed", counts.failed);
    members.number("op_dumps", counts.op_dumps);
    members.number("other_files", counts.other_files);
    return counts;
}

/// A dump that failed, by its path alone.
ScanEntry failed_entry(const json& object, bool& sound) {
    const Members members(object, sound);
    ScanEntry entry;
    members.text("file", entry.item.file);
    members.text("code", entry.failure_code);
    members.text("message", entry.failure_message);
    entry.item.path_ids = parse_path_ids(entry.item.file);
    const std::optional<DumpName> name = tree::parse_name_of_dump(file_name_of(entry.item.file));
    entry.item.timestamp_us = name ? name->timestamp_us : std::nullopt;
    entry.item.model = model_in_groups(entry.item.path_ids.model_name.value_or(""));
    return entry;
}

}  // namespace

std::optional<OrdinaryEnd> read_ordinary_end(std::string_view line) {
    const json object = parsed_line(line);
    bool sound = true;
    const Members members(object, sound);
    std::string type;
    members.text("type", type);
    const json* counts = members.find("counts");
    if (type != "summary" || counts == nullptr) {
        return std::nullopt;
    }
    OrdinaryEnd end;
    end.counts = read_counts(*counts, sound);
    end.tensors = members.find("chains") != nullptr;
    end.facts.op_dumps = end.counts.op_dumps;
    end.facts.other_files = end.counts.other_files;
    members.truth("complete", end.facts.complete);
    if (const json* api = members.find("api"); api != nullptr && !api->is_null()) {
        end.facts.api = read_ordinary_api(*api, sound);
    }
    members.each("failures", [&](const json& item) {
        if (end.failed.size() < end.counts.failed) {  // these stand first
            end.failed.push_back(failed_entry(item, sound));
        } else {
            end.facts.failures.push_back(read_failure(item, sound));
        }
    });
    members.check(end.failed.size() == end.counts.failed);
    members.each("diagnostics", [&](const json& item) {
        Diagnostic diagnostic = read_diagnostic(item, sound);
        if (diagnostic.code != "chains_cut") {  // the chains of all are made anew
            auto& list = diagnostic.code == "first_uncertain" ? end.doubts : end.facts.diagnostics;
            list.push_back(std::move(diagnostic));
        }
    });
    return sound ? std::optional(std::move(end)) : std::nullopt;
}

}  // namespace opdebug::report
