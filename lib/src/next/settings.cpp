// Settings for a purpose, from lib/data/next/settings.json.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "embedded/next_data.hpp"
#include "next/next.hpp"

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
    return std::any_of(facts.operators.begin(), facts.operators.end(), [](const std::string& name) {
        return name.starts_with("Default/") || name.starts_with("Gradients/") || name.starts_with("recompute_Default/");
    });
}

bool has_modules(const Facts& facts) {
    return std::any_of(facts.calls.begin(), facts.calls.end(), [](const std::string& call) {
        return call.starts_with("Module.") || call.starts_with("Cell.");
    });
}

/// The value of a {name} of a body.
ordered_json value_of(std::string_view name, const Facts& facts, const NextOptions& options) {
    if (name == "calls") {
        return facts.calls;
    }
    if (name == "call") {
        return facts.calls.front();
    }
    if (name == "operators") {
        return facts.operators;
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
        return facts.steps;
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
    return need == "calls" || need == "call" ? !facts.calls.empty()
           : need == "operators"             ? !facts.operators.empty()
           : need == "model"                 ? !facts.model.empty()
           : need == "iterations"            ? !facts.iterations.empty() || options.all_steps
                                             : !facts.steps.empty() || options.all_steps;
}

/// Whether the file is for the culprits of the report: calls of an API, or operators of a graph.
bool is_for_report(const ordered_json& file, const Facts& facts) {
    const std::string framework = file.value("framework", "");
    if (facts.calls.empty() && facts.operators.empty()) {
        return framework != "mindspore";
    }
    return framework.empty() ? !facts.calls.empty() || !has_word(file.at("needs"), "calls")
                             : !facts.operators.empty() && (framework == "mindspore") == is_mindspore(facts);
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
}

}  // namespace

std::vector<std::string> purposes() {
    std::vector<std::string> words;
    words.reserve(settings().at("purposes").size());
    for (const ordered_json& purpose : settings().at("purposes")) {
        words.push_back(purpose.at("for"));
    }
    return words;
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
    const bool is_nameless = run.facts.calls.empty() && run.facts.operators.empty();
    for (const ordered_json& one : settings().at("environment")) {
        if (has_word(one.at("for"), run.purpose) && (!one.contains("when") || is_nameless)) {
            run.environment.push_back({one.at("name"), one.at("value"), both(one.at("why"))});
        }
    }
    return run;
}

}  // namespace opdebug::next
