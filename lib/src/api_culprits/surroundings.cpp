// The call stacks of the first culprits, and the modules around them.
#include "api_culprits/exchanges.hpp"

#include <map>
#include <string>
#include <vector>

#include <opdebug/api.hpp>

#include "api_dump/call_nesting.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

using Calls = std::vector<DraftFinding*>;

std::vector<std::string> names_of(const Calls& calls) {
    std::vector<std::string> names;
    names.reserve(calls.size());
    for (const DraftFinding* const draft : calls) {
        names.push_back(draft->finding.api);
    }
    return names;
}

void add_stacks(const FileFacts& facts, const Calls& calls, const ApiOptions& options, ApiReport& report) {
    const Result<std::vector<ApiStack>> stacks = read_api_stacks(facts.file.file, names_of(calls), options.read);
    if (!stacks) {
        report.diagnostics.push_back(remarks::diagnose("stacks_unread", {{"error", remarks::text_of(stacks.error())}}));
        return;
    }
    for (DraftFinding* const draft : calls) {
        for (const ApiStack& stack : *stacks) {
            if (stack.name == draft->finding.api) {
                draft->finding.stack = stack.frames;
            }
        }
    }
}

/// msprobe's names for what is no module: calls of the optimizer's step, and of gradient clipping.
LocalizedText shown(const std::string& module) {
    return module == "optimizer"   ? remarks::phrase("inside_optimizer")
           : module == "clip_grad" ? remarks::phrase("inside_clipping")
                                   : remarks::phrase("inside_module", {{"module", module}});
}

void add_place(const api_dump::CallNesting& nesting, DraftFinding& draft) {
    std::vector<LocalizedText> places;
    for (const std::string& module : nesting.modules_of(draft.finding.api)) {
        places.push_back(shown(module));
    }
    if (const auto micro_step = nesting.micro_step_of(draft.finding.api)) {
        places.push_back(remarks::phrase("in_micro_step", {{"step", *micro_step}}));
    }
    if (!places.empty()) {
        draft.finding.remarks.push_back(
            remarks::diagnose("call_place", {{"places", remarks::joined(places, {", ", "，"})}}));
    }
}

/// Levels L1 and L2 have no modules and an empty construct.json.
bool has_modules(const ApiFile& file) {
    return file.source == ApiSource::msprobe && file.level != "L1" && file.level != "L2";
}

void add_places(const FileFacts& facts, const Calls& calls, const ApiOptions& options, ApiReport& report) {
    const std::vector<std::string> names = names_of(calls);
    const Result<api_dump::CallNesting> read = api_dump::read_call_nesting(facts.file.file, names, options.read);
    const LocalizedText lack = read ? read->lack(names) : remarks::text_of(read.error());
    if (read) {
        for (DraftFinding* const draft : calls) {
            add_place(*read, *draft);
        }
    }
    if (lack.en.empty()) {
        return;
    }
    Diagnostic unread = remarks::diagnose("construct_unread", {{"lack", lack}});
    for (const Diagnostic& diagnostic : facts.file.diagnostics) {
        if (diagnostic.code == unread.code) {
            return;  // reported earlier
        }
    }
    report.diagnostics.push_back(std::move(unread));
}

}  // namespace

void add_surroundings(const Answer& answer, const ApiOptions& options, ApiReport& report) {
    std::map<const FileFacts*, Calls> by_file;
    for (const First& first : answer.first) {
        by_file[first.file].push_back(first.draft);
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
