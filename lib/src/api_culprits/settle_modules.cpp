// Modules and the calls inside them: the inner ones are the origins.
#include "api_culprits/exchanges.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api_dump/call_name.hpp"
#include "api_dump/call_nesting.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_culprits {
namespace {

/// Whether the verdict of a module states that the bad value was or may have been made in it.
bool claims(const DraftFinding& draft) {
    const bool is_call = draft.phase == ApiPhase::forward || draft.phase == ApiPhase::backward;
    return draft.is_module && is_call && (is_origin(draft) || draft.finding.verdict == ApiVerdict::unknown);
}

/// Whether it has a bad result that the module around it may have passed on.
bool shows_bad_result(const DraftFinding& draft) {
    return !draft.bad.empty() &&
           (is_culprit(draft) || has_bad_input(draft) || draft.finding.verdict == ApiVerdict::unknown);
}

/// "Module.layer.fc" of "Module.layer.fc.Linear.forward.0".
std::string_view path_of(const DraftFinding& module) {
    std::string_view path = module.finding.api;
    for (int parts = 0; parts < 3; ++parts) {
        path = api_dump::split_last(path, '.').front;
    }
    return path;
}

/// Whether the path of the module is below that of the other one.
bool lies_below(const DraftFinding& module, const DraftFinding& other) {
    const std::string_view path = path_of(module), above = path_of(other);
    return path.size() > above.size() && path.starts_with(above) && path[above.size()] == '.';
}

class Modules {
public:
    Modules(FileFacts& facts, const ApiReadOptions& options) : facts_(facts), options_(options) {}

    /// Error: interrupted.
    std::optional<Error> settle() {
        if (needs_nesting()) {
            if (std::optional<Error> error = read_nesting()) {
                return error;
            }
        }
        index();
        for (DraftFinding& draft : facts_.drafts) {
            if (claims(draft)) {
                settle_module(draft);
            }
        }
        return std::nullopt;
    }

private:
    /// Keys as in construct.json: names of forwards.
    using ByName = std::map<std::pair<ApiPhase, std::string>, DraftFinding*>;

    /// Whether the nesting may change a verdict.
    bool needs_nesting() const {
        std::size_t bad = 0;
        bool any_claims = false;
        for (const DraftFinding& draft : facts_.drafts) {
            any_claims = any_claims || claims(draft);
            bad += shows_bad_result(draft) ? 1U : 0U;
        }
        return facts_.file.source == ApiSource::msprobe && any_claims && bad > 1;
    }

    std::optional<Error> read_nesting() {
        std::vector<std::string> all, names;
        all.reserve(facts_.drafts.size());
        for (const DraftFinding& draft : facts_.drafts) {
            all.push_back(draft.finding.api);
            if (shows_bad_result(draft)) {
                names.push_back(draft.finding.api);
            }
        }
        Result<api_dump::CallNesting> read = api_dump::read_call_nesting(facts_.file.file, all, options_);
        if (!read) {
            return read.error();
        }
        const LocalizedText lack = read->lack(names);
        nesting_ = std::move(*read);
        if (!lack.en.empty()) {
            facts_.file.diagnostics.push_back(remarks::diagnose("construct_unread.modules", {{"lack", lack}}));
        }
        return std::nullopt;
    }

    void index() {
        for (DraftFinding& draft : facts_.drafts) {
            if (claims(draft)) {
                const std::string forward = api_dump::forward_name(draft.finding.api);
                claiming_[{draft.phase, forward.empty() ? draft.finding.api : forward}] = &draft;
            }
        }
        for (const DraftFinding& draft : facts_.drafts) {
            if (shows_bad_result(draft)) {
                note_inside(draft);
            }
        }
    }

    void note_inside(const DraftFinding& call) {
        for (std::string& name : nesting_.modules_of(call.finding.api)) {
            const auto module = claiming_.find({call.phase, std::move(name)});
            if (module == claiming_.end() || module->second == &call) {
                continue;
            }
            const auto [slot, is_first] = inside_.emplace(module->second, &call);
            if (!is_first && is_better(call, *slot->second)) {
                slot->second = &call;
            }
        }
    }

    /// Calls before modules, inner modules before outer ones, then the earlier one.
    bool is_better(const DraftFinding& draft, const DraftFinding& than) const {
        if (draft.is_module != than.is_module) {
            return than.is_module;
        }
        const bool nested = nesting_.lies_inside(draft.finding.api, than.finding.api);
        return nested || (draft.order < than.order && !nesting_.lies_inside(than.finding.api, draft.finding.api));
    }

    /// Of calls that construct.json lacks: the one that made a result of the module from clean inputs. The nearest one
    /// before the module counts, because modules end after their calls, or else the first one after it.
    const DraftFinding* maker_of_result(const DraftFinding& module) const {
        const DraftFinding* maker = nullptr;
        for (const DraftFinding& call : facts_.drafts) {
            const bool may_be_inside = call.is_module ? lies_below(call, module) : &call != &module;
            if (may_be_inside && !nesting_.knows(call.finding.api) && call.phase == module.phase && is_origin(call) &&
                (call.order < module.order || maker == nullptr) &&
                std::find_first_of(call.bad.begin(), call.bad.end(), module.bad.begin(), module.bad.end()) !=
                    call.bad.end()) {
                maker = &call;
            }
        }
        return maker;
    }

    void settle_module(DraftFinding& module) {
        const auto inside = inside_.find(&module);
        const DraftFinding* const inner = inside != inside_.end() ? inside->second : maker_of_result(module);
        if (inner != nullptr) {
            module.finding.verdict = ApiVerdict::inherited;
            const char* const reason = inside != inside_.end() ? "reason_add.inside" : "reason_add.same_result";
            add_reason(remarks::phrase(reason, {{"api", inner->finding.api}}), module.finding);
            module.order = std::max(module.order, inner->order + 1);
        }
    }

    FileFacts& facts_;
    const ApiReadOptions& options_;
    api_dump::CallNesting nesting_;
    ByName claiming_;
    std::map<const DraftFinding*, const DraftFinding*> inside_;  ///< module to the inner call with a bad result
};

}  // namespace

std::optional<Error> settle_modules(FileFacts& facts, const ApiReadOptions& options) {
    return Modules(facts, options).settle();
}

}  // namespace opdebug::api_culprits
