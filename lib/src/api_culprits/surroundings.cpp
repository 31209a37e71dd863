#include "api_culprits/surroundings.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api_dump/call_nesting.hpp"

namespace opdebug::api_culprits {
namespace {

using Calls = std::vector<Found*>;

std::vector<std::string> names_of(const Calls& calls) {
    std::vector<std::string> names;
    names.reserve(calls.size());
    for (const Found* const found : calls) {
        names.push_back(found->finding.api);
    }
    return names;
}

void add_stacks(const FileFacts& facts, const Calls& calls, const ApiOptions& options, ApiReport& report) {
    const Result<std::vector<ApiStack>> stacks = read_api_stacks(facts.file.file, names_of(calls), options.read);
    if (!stacks) {
        report.diagnostics.push_back({Severity::warning, "stacks_unread", to_string(stacks.error())});
        return;
    }
    for (Found* const found : calls) {
        for (const ApiStack& stack : *stacks) {
            if (stack.name == found->finding.api) {
                found->finding.stack = stack.frames;
            }
        }
    }
}

/// msprobe's names for what is no module: calls of the optimizer's step, and of gradient clipping.
std::string shown(const std::string& module) {
    return module == "optimizer" ? "the step of the optimizer" : module == "clip_grad" ? "gradient clipping" : module;
}

void add_place(const api_dump::CallNesting& nesting, Found& found) {
    std::vector<std::string> modules = nesting.modules_of(found.finding.api);
    for (std::string& module : modules) {
        module = shown(module);
    }
    std::string text = modules.empty() ? std::string() : fmt::format("inside {}", fmt::join(modules, ", inside "));
    if (const auto micro_step = nesting.micro_step_of(found.finding.api)) {
        text += fmt::format("{}in micro step {}", text.empty() ? "" : ", ", *micro_step);
    }
    if (!text.empty()) {
        found.finding.remarks.push_back({Severity::info, "call_place", "it lies " + text});
    }
}

/// Levels L1 and L2 have no modules, and an empty construct.json.
bool has_modules(const ApiFile& file) {
    return file.source == ApiSource::msprobe && file.level != "L1" && file.level != "L2";
}

void add_places(const FileFacts& facts, const Calls& calls, const ApiOptions& options, ApiReport& report) {
    const std::vector<std::string> names = names_of(calls);
    const Result<api_dump::ReadNesting> read = api_dump::read_call_nesting(facts.file.file, names, options.read);
    const std::string lack = read ? read->lack(names) : to_string(read.error());
    if (read) {
        for (Found* const found : calls) {
            add_place(read->nesting, *found);
        }
    }
    if (lack.empty()) {
        return;
    }
    Diagnostic unread{Severity::warning, "construct_unread", lack};
    for (const Diagnostic& told : facts.file.diagnostics) {
        if (told.code == unread.code) {
            return;  // the judging told it
        }
    }
    report.diagnostics.push_back(std::move(unread));
}

}  // namespace

void add_surroundings(const Answer& answer, const ApiOptions& options, ApiReport& report) {
    std::map<const FileFacts*, Calls> by_file;
    for (const First& first : answer.first) {
        by_file[first.file].push_back(first.found);
    }
    for (const First& first : answer.first) {
        const auto calls = by_file.extract(first.file);
        if (calls.empty()) {
            continue;
        }
        add_stacks(*first.file, calls.mapped(), options, report);
        if (has_modules(first.file->file)) {
            add_places(*first.file, calls.mapped(), options, report);
        }
    }
}

}  // namespace opdebug::api_culprits
