// Facts of report documents.
#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "api_dump/call_name.hpp"
#include "bytes/file.hpp"
#include "json/document.hpp"
#include "locate/kernel_name.hpp"
#include "next/next.hpp"
#include "tree/name.hpp"

namespace opdebug::next {
namespace {

using nlohmann::json;

constexpr std::size_t kMostCalls = 20;

/// The member of an object; null if there is none.
const json& member(const json& object, std::string_view key) {
    static const json none;
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() ? *found : none;
}

std::string text_of(const json& value) {
    return value.is_string() ? value.get<std::string>() : std::string();
}

template <class T>
void add_once(const T& value, std::vector<T>& values) {
    if (std::find(values.begin(), values.end(), value) == values.end()) {
        values.push_back(value);
    }
}

void add_text(const json& value, std::vector<std::string>& values) {
    if (const std::string text = text_of(value); !text.empty()) {
        add_once(text, values);
    }
}

void add_number(const json& value, std::vector<std::uint64_t>& values) {
    if (value.is_number_unsigned()) {
        add_once(value.get<std::uint64_t>(), values);
    }
}

/// A call, and for a backward one its forward twin. msprobe finds gradients by the name of their module.
void add_call(const std::string& name, Facts& facts) {
    constexpr std::string_view kBackward = ".backward";
    const std::string call = name.substr(0, name.find(".parameters_grad"));
    if (call.empty() || facts.calls.size() >= kMostCalls) {
        return;
    }
    add_once(call, facts.calls);
    if (const std::size_t end = call.rfind(kBackward); end != std::string::npos) {
        add_once(call.substr(0, end) + ".forward" + call.substr(end + kBackward.size()), facts.calls);
    }
}

/// Operators outside of models have dumps directly below {time}/{device} (docs/internals/formats.md, "Directories").
constexpr bool is_outside_of_models(bool has_time_and_device, bool has_model) {
    return has_time_and_device && !has_model;
}

/// An operator in statistics of CANN, MindSpore or ATB.
void add_operator(const json& finding, Facts& facts) {
    const std::string name = text_of(member(finding, "api")), file = text_of(member(finding, "file"));
    const bool is_atb = file.find("atb_dump_data/") != std::string::npos;
    const bool is_list = file_name_of(file) == tree::kStatisticList;
    const PathIds ids = parse_path_ids(file);
    facts.writer = is_atb ? "atb" : is_list ? "mindspore" : "graph";
    facts.model = facts.model.empty() ? ids.model_name.value_or("") : facts.model;
    facts.is_single_operator = is_outside_of_models(ids.time && ids.device_id, ids.model_name || ids.model_id);
    facts.is_name_of_file = facts.is_name_of_file || name.find('_') != std::string::npos;
    add_once(name, facts.operators);
    add_number(member(finding, "step"), facts.iterations);
}

/// A call in the spelling of msprobe, an operator, or a value that has neither.
void add_culprit(const json& finding, Facts& facts) {
    ApiEntry entry;
    entry.name = text_of(member(finding, "api"));
    const bool is_ptdbg = member(finding, "source") == "ptdbg";
    is_ptdbg ? api_dump::read_ptdbg_name(entry) : api_dump::read_call_name(entry);
    const api_dump::NameParts parts = api_dump::split_last(entry.name, '.');
    if (member(finding, "source") == "statistic_csv") {
        add_operator(finding, facts);
    } else if (is_ptdbg && (entry.is_module || !entry.count)) {
        facts.writer = "no_calls";  // modules have other names in msprobe
    } else if (is_ptdbg) {
        add_call(fmt::format("{}.{}.{}", entry.api, *entry.count,
                             entry.phase == ApiPhase::backward ? "backward" : "forward"),
                 facts);
    } else if (entry.api != entry.name && entry.phase != ApiPhase::debug) {
        add_call(entry.name, facts);
    } else if (parts.back == "forward" || parts.back == "backward") {
        facts.writer = "aclgraph";  // no number: captured once
        add_once(std::string(parts.front), facts.operators);
    } else {
        facts.writer = "no_calls";
    }
}

bool has_remark(const json& finding, std::string_view code) {
    const json& remarks = member(finding, "diagnostics");
    return std::any_of(remarks.begin(), remarks.end(),
                       [code](const json& remark) { return member(remark, "code") == code; });
}

/// Whether there is a culprit among them. A weight was written in the step before. Without a rank, all ranks are
/// dumped.
bool add_findings(const json& findings, Facts& facts) {
    bool has_culprit = false, needs_all_ranks = false;
    for (const json& finding : findings) {
        if (member(finding, "kind") == "also_there") {
            continue;
        }
        has_culprit = true;
        add_culprit(finding, facts);
        const json& step = member(finding, "step");
        if (step.is_number_unsigned() && step != 0U && has_remark(finding, "weight_of_step_before")) {
            add_once(step.get<std::uint64_t>() - 1, facts.steps);
        }
        add_number(step, facts.steps);
        add_number(member(finding, "rank"), facts.ranks);
        needs_all_ranks = needs_all_ranks || has_remark(finding, "ranks_missing");
    }
    if (needs_all_ranks) {
        facts.ranks.clear();
    }
    facts.has_culprit = facts.has_culprit || has_culprit;
    return has_culprit;
}

/// A benchmark shows which calls are bad only here. Without an answer of it, the first bad calls count.
void read_api_report(const json& report, Facts& facts) {
    const json &bench = member(report, "bench"), &step = member(bench, "problem_step");
    const bool has_breaks = add_findings(member(bench, "breaks"), facts);
    if (step.is_number_unsigned()) {
        facts.has_culprit = true;
        facts.steps = {step.get<std::uint64_t>()};
    } else if (!has_breaks) {
        add_findings(member(report, "first"), facts);
    }
    const bool lacks_calls =
        has_remark(report, "no_statistics") || has_remark(report, "no_calls") || has_remark(report, "api_dump_cut");
    if (!facts.has_culprit && lacks_calls) {
        facts.has_culprit = true;
        facts.writer = "no_calls";
    }
}

/// Whether only names of dump files, or a list of them, name the operator: '/' and '.' of the graph are '_' there.
bool is_name_of_file(const json& name, const json& evidence) {
    return text_of(name).find('/') == std::string::npos && !evidence.empty() &&
           std::all_of(evidence.begin(), evidence.end(), [](const json& one) {
               return text_of(member(one, "text")).find(locate_stage::kNameOfFile) != std::string::npos ||
                      file_name_of(text_of(member(one, "file"))) == tree::kStatisticList;
           });
}

/// The first overflow decides: others may follow from it.
void read_record(const json& record, Facts& facts) {
    if (facts.has_culprit || member(record, "overflow") != true) {
        return;
    }
    facts.has_culprit = true;
    const json& found = member(record, "operator");
    add_text(member(found, "name"), facts.operators);
    facts.is_name_of_file = is_name_of_file(member(found, "name"), member(found, "evidence"));
    facts.watched = facts.operators;
    facts.model = text_of(member(member(record, "model"), "name"));
    const json& ids = member(record, "path_ids");
    facts.is_single_operator =
        is_outside_of_models(member(ids, "time").is_string() && member(ids, "device_id").is_number(),
                             !facts.model.empty() || member(ids, "model_id").is_number());
    add_number(member(ids, "data_index"), facts.iterations);
    const json& rank = member(record, "rank");
    add_number(rank.is_null() ? member(ids, "rank") : rank, facts.ranks);
}

std::uint64_t number_or(const json& value, std::uint64_t other) {
    return value.is_number_unsigned() ? value.get<std::uint64_t>() : other;
}

/// The steps of a fault, counted from 0 at the start of the process, as msprobe does. The step before a fault is
/// dumped, too. A log counts from 1, and a line is about an interval of steps. A log of an unknown trainer may count
/// from 0: then the fault is in the next step. Lines that were counted are no steps.
void add_train_steps(const json& run, const json& fault, std::string_view step_key, std::string_view steps_key,
                     Facts& facts) {
    constexpr std::uint64_t kMostSteps = 10'000;
    const std::uint64_t line = number_or(member(run, "resumed_at"), number_or(member(run, "first_step"), 1));
    const std::uint64_t begin = line - std::min(line, number_or(member(run, "interval"), 1)) + 1;
    const std::uint64_t last = number_or(member(fault, step_key), 0), count = number_or(member(fault, steps_key), 1);
    if (last < begin || count > kMostSteps || member(run, "steps_counted") == true) {
        return;
    }
    const std::uint64_t end = last - begin + (member(run, "guessed") == true ? 1 : 0);
    for (std::uint64_t one = last - begin - std::min(count, last - begin); one <= end; ++one) {
        facts.steps.push_back(one);
    }
    facts.train_step = last;
    facts.train_begin = begin;
}

/// The step of a benchmark is that of the first difference.
void read_train_report(const json& report, Facts& facts) {
    const std::string verdict = text_of(member(report, "verdict"));
    const json& bench = member(report, "bench");
    const bool has_problem = member(bench, "problem_step").is_number_unsigned();
    facts.has_culprit = has_problem || (!verdict.empty() && verdict != "clean" && verdict != "probing");
    const json& runs = member(report, "runs");
    const json& deciding = member(report, "deciding_run");
    if (!runs.is_array() || !deciding.is_number_unsigned() || deciding.get<std::size_t>() >= runs.size()) {
        return;
    }
    const json &run = runs[deciding.get<std::size_t>()], &findings = member(run, "findings");
    facts.log_format = text_of(member(run, "format"));
    if (has_problem) {
        add_train_steps(run, bench, "problem_step", "problem_steps", facts);
    } else if (findings.is_array() && !findings.empty()) {
        add_train_steps(run, findings.front(), "step", "steps", facts);
    }
    for (const json& rank : member(report, "culprit_ranks")) {
        add_number(rank, facts.ranks);
    }
}

void read_difference(const json& difference, Facts& facts) {
    const std::string verdict = text_of(member(difference, "verdict"));
    if (verdict == "identical" || verdict == "not_comparable" || verdict == "noise" || verdict.empty()) {
        return;
    }
    facts.has_culprit = true;
    add_text(member(member(difference, "a"), "op_name"), facts.operators);
    add_text(member(member(difference, "b"), "op_name"), facts.watched);
}

void read_document(const json& document, Facts& facts) {
    const std::string schema = text_of(member(document, "schema"));
    const auto read = schema == "opdebug.api_report/1"          ? read_api_report
                      : schema == "opdebug.record/1"            ? read_record
                      : schema == "opdebug.train_report/1"      ? read_train_report
                      : schema == "opdebug.tensor_difference/1" ? read_difference
                                                                : nullptr;
    if (read == nullptr && schema != "opdebug.report/1") {
        return;
    }
    facts.schema = facts.schema.empty() ? schema : facts.schema;
    if (read != nullptr) {
        read(document, facts);
        return;
    }
    // A scan: the first overflow, and the first culprits of API dumps.
    read_record(member(document, "first"), facts);
    read_api_report(member(document, "api"), facts);
}

}  // namespace

Facts facts_of(const std::string& text, const Limits& limits) {
    Facts facts;
    json_stage::Fault fault;
    const json document = json_stage::parse_document(text, fault, nullptr, limits);
    if (!fault.found()) {
        read_document(document, facts);
        return facts;
    }
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        json_stage::Fault of_line;
        const json one = json_stage::parse_document(line, of_line, nullptr, limits);
        if (!of_line.found()) {
            read_document(one, facts);
        }
    }
    return facts;
}

Result<Facts> read_facts(const std::string& path, const Limits& limits) {
    const Result<std::vector<std::uint8_t>> bytes = bytes::read_file(path, limits);
    return bytes ? Result<Facts>(facts_of(std::string(bytes->begin(), bytes->end()), limits))
                 : Result<Facts>(bytes.error());
}

}  // namespace opdebug::next
