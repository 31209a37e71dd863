// Settings for a purpose, from lib/data/next/settings.json.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "bytes/utf8.hpp"
#include "embedded/next_data.hpp"
#include "next/next.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::next {
namespace {

using nlohmann::ordered_json;

const ordered_json& settings() {
    static const ordered_json document = ordered_json::parse(embedded::next_files().front().text);
    return document;
}

LocalizedText both(const ordered_json& text) {
    return {text.at("en"), text.at("zh")};
}

bool has_word(const ordered_json& words, std::string_view word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Graphs of MindSpore name their operators by scopes.
bool is_mindspore(const Facts& facts) {
    return facts.writer == "mindspore" ||
           std::any_of(facts.operators.begin(), facts.operators.end(), [](const std::string& name) {
               constexpr std::string_view kScopes[] = {"Default", "Gradients", "recompute_Default"};
               return std::any_of(std::begin(kScopes), std::end(kScopes), [&name](std::string_view scope) {
                   return name.starts_with(scope) && (name[scope.size()] == '/' || name[scope.size()] == '_');
               });
           });
}

/// Whether the training log has a format of MindSpore.
bool is_mindspore_log(const Facts& facts) {
    const ordered_json& names = settings().at("mindspore_logs");
    return std::any_of(names.begin(), names.end(), [&facts](const ordered_json& name) {
        return facts.log_format.find(name.get_ref<const std::string&>()) != std::string::npos;
    });
}

bool is_module(const std::string& call) {
    return call.starts_with("Module.") || call.starts_with("Cell.");
}

bool has_modules(const Facts& facts) {
    return std::any_of(facts.calls.begin(), facts.calls.end(), is_module);
}

/// Calls that only MindSpore has.
bool is_mindspore_call(const std::string& call) {
    return call.starts_with("Cell.") || call.starts_with("Mint") || call.starts_with("Primitive.") ||
           call.starts_with("Jit.");
}

/// Names of files have _ for / and other characters: a regular expression finds the operator of the graph.
std::string mindspore_kernel(std::string name, bool is_name_of_file) {
    constexpr std::string_view kAny = "[_/.]";
    if (!is_name_of_file) {
        return name;
    }
    for (std::size_t at = name.find('_'); at != std::string::npos; at = name.find('_', at + kAny.size())) {
        name.replace(at, 1, kAny);
    }
    return "name-regex(" + name + ")";
}

/// The operations of layers, which contain the others.
std::string atb_layers(const Facts& facts) {
    std::vector<std::string> layers;
    for (const std::string& name : facts.operators) {
        const std::string layer = name.substr(0, name.find('/'));
        if (std::find(layers.begin(), layers.end(), layer) == layers.end()) {
            layers.push_back(layer);
        }
    }
    return fmt::format("{}", fmt::join(layers, ","));
}

/// Steps as numbers; many as the text of a range.
ordered_json steps_of(const std::vector<std::uint64_t>& steps) {
    constexpr std::size_t kMostNumbers = 20;
    const bool is_range = steps.size() > kMostNumbers && std::is_sorted(steps.begin(), steps.end()) &&
                          steps.back() - steps.front() + 1 == steps.size();
    return is_range ? ordered_json::array({fmt::format("{}-{}", steps.front(), steps.back())}) : ordered_json(steps);
}

/// The value of a {name} of a body.
ordered_json value_of(std::string_view name, const Facts& facts, const NextOptions& options) {
    if (name == "calls") {
        return facts.calls;
    }
    if (name == "call") {
        return *std::find_if_not(facts.calls.begin(), facts.calls.end(), is_module);
    }
    if (name == "operators") {
        return facts.operators;
    }
    if (name == "kernels") {
        ordered_json kernels = ordered_json::array();
        for (const std::string& one : facts.operators) {
            kernels.push_back(mindspore_kernel(one, facts.is_name_of_file));
        }
        return kernels;
    }
    if (name == "layers") {
        return atb_layers(facts);
    }
    if (name == "rounds") {
        const auto ends = std::minmax_element(facts.steps.begin(), facts.steps.end());
        return facts.steps.empty() ? "all" : fmt::format("{},{}", *ends.first, *ends.second);
    }
    if (name == "absolute_path") {
        return options.absolute_dump_path.empty() ? options.dump_path : options.absolute_dump_path;
    }
    if (name == "watched") {
        return facts.watched.empty() ? facts.operators : facts.watched;
    }
    if (name == "model") {
        return facts.model;
    }
    if (name == "ranks") {
        return facts.ranks;
    }
    if (name == "steps") {
        return steps_of(facts.steps);
    }
    if (name == "iterations") {
        return facts.iterations.empty() ? "all" : fmt::format("{}", fmt::join(facts.iterations, "|"));
    }
    // Lists of the level L1 name calls of functions only.
    return name == "level" ? (has_modules(facts) ? "mix" : "L1") : options.dump_path;
}

/// The body with the values for all {names}.
ordered_json filled(const ordered_json& body, const Facts& facts, const NextOptions& options) {
    if (body.is_string()) {
        const std::string& text = body.get_ref<const std::string&>();
        const bool is_name = text.size() > 2 && text.front() == '{' && text.back() == '}';
        return is_name ? value_of(std::string_view(text).substr(1, text.size() - 2), facts, options) : body;
    }
    ordered_json result = body;
    if (body.is_structured()) {
        for (auto& value : result) {
            value = filled(value, facts, options);
        }
    }
    return result;
}

bool is_known(std::string_view need, const Facts& facts, const NextOptions& options) {
    const std::vector<std::string>& calls = facts.calls;
    return need == "calls"        ? !calls.empty()
           : need == "call"       ? !std::all_of(calls.begin(), calls.end(), is_module)
           : need == "pytorch"    ? std::none_of(calls.begin(), calls.end(), is_mindspore_call)
           : need == "pynative"   ? !is_mindspore_log(facts)
           : need == "operators"  ? !facts.operators.empty()
           : need == "exact_name" ? !facts.is_name_of_file
           : need == "file_name"  ? facts.is_name_of_file
           : need == "single"     ? facts.is_single_operator
           : need == "model"      ? !facts.model.empty()
           : need == "iterations" ? !facts.iterations.empty() || options.all_steps
                                  : !facts.steps.empty() || options.all_steps;
}

/// Whether the file is for the culprits of the report: calls of an API, or operators of a writer.
bool is_for_report(const ordered_json& file, const Facts& facts) {
    const std::string writer = file.value("writer", "");
    if (facts.operators.empty()) {
        const char* const other = facts.writer.empty() ? "graph" : "no_calls";
        return writer.empty() || (facts.calls.empty() && writer == other);
    }
    const std::string of_report = is_mindspore(facts) ? "mindspore" : facts.writer.empty() ? "graph" : facts.writer;
    return writer.empty() ? !facts.calls.empty() : writer == of_report;
}

/// Removes the files of which another variant is written or already missing.
void drop_variants(NextRun& run) {
    std::vector<MissingFile> missing;
    for (MissingFile& one : run.missing) {
        const auto is_same = [&one](const auto& other) { return other.name == one.name && other.tool == one.tool; };
        if (std::none_of(run.files.begin(), run.files.end(), is_same) &&
            std::none_of(missing.begin(), missing.end(), is_same)) {
            missing.push_back(std::move(one));
        }
    }
    run.missing = std::move(missing);
}

void add_file(const ordered_json& file, const NextOptions& options, NextRun& run) {
    for (const std::string need : file.at("needs")) {
        if (!is_known(need, run.facts, options)) {
            run.missing.push_back({file.at("file"), file.at("tool"), need});
            return;
        }
    }
    SettingsFile& added = run.files.emplace_back();
    added.name = file.at("file");
    added.tool = file.at("tool");
    added.answers = both(file.at("answers"));
    added.put = both(file.at("put"));
    added.source = file.at("source");
    added.body = filled(file.at("body"), run.facts, options);
    if (added.body.value("level", "") == "mix") {
        remarks::append(remarks::phrase("next_mix"), added.put);
    }
    const std::vector<std::string>& calls = run.facts.calls;
    const bool is_pytorch = std::none_of(calls.begin(), calls.end(), is_mindspore_call);
    if (is_pytorch && added.body.value("task", "") == "tensor" && added.body.value("level", "") != "L2") {
        remarks::append(remarks::phrase("next_pt"), added.put);
    }
    if (run.facts.train_step != 0) {
        remarks::append(remarks::phrase("next_step_count", {{"step", run.facts.train_step},
                                                            {"number", run.facts.train_step - run.facts.train_begin},
                                                            {"begin", run.facts.train_begin}}),
                        added.put);
    }
}

}  // namespace

bool is_json_text(std::string_view text) {
    return bytes::is_utf8(text);
}

NextRun next_run(Facts facts, const NextOptions& options) {
    NextRun run;
    run.facts = std::move(facts);
    run.purpose = options.purpose;
    for (const ordered_json& report : settings().at("reports")) {
        if (options.purpose.empty() && report.at("schema") == run.facts.schema) {
            run.purpose = report.at("for");
        }
    }
    for (const ordered_json& purpose : settings().at("purposes")) {
        if (purpose.at("for") == run.purpose) {
            run.purpose_text = both(purpose.at("text"));
        }
    }
    for (const ordered_json& file : settings().at("files")) {
        if (has_word(file.at("for"), run.purpose) && is_for_report(file, run.facts)) {
            add_file(file, options, run);
        }
    }
    drop_variants(run);
    if (run.files.empty() && run.missing.empty()) {
        run.missing.push_back({"config.json", "msprobe", "settings"});
    }
    const bool is_nameless = run.facts.calls.empty() && run.facts.operators.empty() && run.facts.writer != "no_calls";
    for (const ordered_json& one : settings().at("environment")) {
        if (has_word(one.at("for"), run.purpose) && (!one.contains("when") || is_nameless)) {
            run.environment.push_back({one.at("name"), one.at("value"), both(one.at("why"))});
        }
    }
    return run;
}

}  // namespace opdebug::next
