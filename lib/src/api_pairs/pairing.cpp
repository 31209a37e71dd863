// Which call of the benchmark is the same as a call here, in one step and rank.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "api_pairs/units.hpp"

namespace opdebug::api_pairs {
namespace {

/// Calls of one API and phase.
using ApiKey = std::tuple<std::string_view, ApiPhase, bool>;
/// The number of a call and its index.
using Numbered = std::vector<std::pair<std::uint64_t, std::size_t>>;
using ByApi = std::map<ApiKey, Numbered>;
using Partners = std::vector<std::optional<Partner>>;

ByApi by_api(const Calls& calls) {
    ByApi result;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const ApiEntry& call = calls[i].entry;
        Numbered& numbered = result[{call.api, call.phase, call.is_module}];
        // Numbers of parameters_grad count on over the steps, and a benchmark may begin at another step.
        const bool counts_on = call.phase == ApiPhase::parameters_grad;
        numbered.emplace_back(counts_on ? numbered.size() : call.count.value_or(numbered.size()), i);
    }
    return result;
}

/// The calls of each common name. Null: several APIs have it.
using NameKey = std::tuple<std::string, ApiPhase, bool>;
using ByCommonName = std::map<NameKey, const Numbered*>;

NameKey name_key(const ApiKey& api) {
    const auto& [name, phase, is_module] = api;
    return {common_name(name, is_module), phase, is_module};
}

ByCommonName by_common_name(const ByApi& apis) {
    ByCommonName result;
    for (const auto& [key, numbered] : apis) {
        const auto [slot, is_new] = result.emplace(name_key(key), &numbered);
        slot->second = is_new ? slot->second : nullptr;
    }
    return result;
}

/// Whether both sides made equally many calls, so that equal numbers are equal calls. Rows may be missing in between.
bool have_same_numbers(const Numbered& here, const Numbered& there) {
    return here.back().first == there.back().first;
}

Numbered sorted(Numbered numbered) {
    std::stable_sort(numbered.begin(), numbered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return numbered;
}

/// Calls of one side in order, with their signatures.
struct Sequence {
    std::vector<std::size_t> calls;
    std::vector<std::uint64_t> signatures;
};

Sequence forwards_of(const Calls& calls) {
    Sequence sequence;
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (calls[i].entry.phase == ApiPhase::forward && !calls[i].entry.is_module) {
            sequence.calls.push_back(i);
            sequence.signatures.push_back(calls[i].shapes);
        }
    }
    return sequence;
}

struct Range {
    std::size_t here = 0, here_end = 0, there = 0, there_end = 0;
};

/// Two matching indices in the sequences.
using Match = std::pair<std::size_t, std::size_t>;

/// The longest common sequence of a window.
void match_window(const Sequence& here, const Sequence& there, const Range& range, std::vector<Match>& matches) {
    const std::size_t rows = range.here_end - range.here, columns = range.there_end - range.there;
    const std::size_t width = columns + 1;
    std::vector<std::uint16_t> length((rows + 1) * width);
    for (std::size_t i = rows; i-- > 0;) {
        for (std::size_t j = columns; j-- > 0;) {
            const bool equal = here.signatures[range.here + i] == there.signatures[range.there + j];
            length[i * width + j] = equal ? static_cast<std::uint16_t>(length[(i + 1) * width + j + 1] + 1)
                                          : std::max(length[(i + 1) * width + j], length[i * width + j + 1]);
        }
    }
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
        if (here.signatures[range.here + i] == there.signatures[range.there + j]) {
            matches.emplace_back(range.here + i++, range.there + j++);
        } else {
            length[(i + 1) * width + j] >= length[i * width + j + 1] ? ++i : ++j;
        }
    }
}

/// Windows one after the other, each after the last match of the one before. A window without a match is the last.
std::vector<Match> aligned(const Sequence& here, const Sequence& there) {
    const auto most = static_cast<std::size_t>(rule("alignment_window"));
    std::vector<Match> matches;
    Range rest{0, here.calls.size(), 0, there.calls.size()};
    while (rest.here < rest.here_end && rest.there < rest.there_end) {
        const std::size_t before = matches.size();
        match_window(here, there,
                     {rest.here, std::min(rest.here_end, rest.here + most), rest.there,
                      std::min(rest.there_end, rest.there + most)},
                     matches);
        if (matches.size() == before) {
            break;
        }
        rest.here = matches.back().first + 1;
        rest.there = matches.back().second + 1;
    }
    return matches;
}

/// Whether both sides made the same calls with the same shapes, as most runs and their benchmarks.
bool are_alike(const Calls& here, const Calls& there) {
    return std::equal(here.begin(), here.end(), there.begin(), there.end(),
                      [](const SideCall& one, const SideCall& other) {
                          const ApiEntry &a = one.entry, &b = other.entry;
                          return a.api == b.api && a.phase == b.phase && a.is_module == b.is_module &&
                                 a.count == b.count && one.shapes == other.shapes;
                      });
}

class Pairing {
public:
    Pairing(const Calls& here, const Calls& there, bool frameworks_differ)
        : frameworks_differ_(frameworks_differ),
          here_(here),
          there_(there),
          here_by_api_(by_api(here)),
          there_by_api_(by_api(there)),
          here_by_name_(by_common_name(here_by_api_)),
          there_by_name_(by_common_name(there_by_api_)),
          partners_(here.size()),
          is_used_(there.size()) {}

    Partners pair() {
        bool any_differ = false;
        for (const auto& [key, numbered] : here_by_api_) {
            if (std::get<ApiPhase>(key) != ApiPhase::backward || std::get<bool>(key)) {
                any_differ = !pair_by_number(key, numbered) || any_differ;
            }
        }
        doubt_numbers();
        if (any_differ) {
            pair_by_alignment();
        }
        for (const auto& [key, numbered] : here_by_api_) {
            if (std::get<ApiPhase>(key) == ApiPhase::backward && !std::get<bool>(key)) {
                pair_backwards(key, numbered);
            }
        }
        return std::move(partners_);
    }

private:
    /// The calls of the same API there. Null: none. Other names pair only if each side has one API of the common name.
    const Numbered* calls_of(const ApiKey& key) const {
        if (const auto same = there_by_api_.find(key); same != there_by_api_.end()) {
            return &same->second;
        }
        const NameKey name = name_key(key);
        const auto other = there_by_name_.find(name);
        const bool may_pair = std::get<bool>(key) || frameworks_differ_;
        return may_pair && other != there_by_name_.end() && here_by_name_.at(name) != nullptr ? other->second : nullptr;
    }

    void add(std::size_t here, std::size_t there, bool by_order) {
        if (!partners_[here] && !is_used_[there]) {
            partners_[here] = Partner{there, by_order};
            is_used_[there] = true;
        }
    }

    /// Names of modules and of kernels are unique, so numbers are compared one by one. Returns whether all agree.
    bool pair_by_number(const ApiKey& key, const Numbered& numbered) {
        const Numbered* const other = calls_of(key);
        if (other == nullptr) {
            return true;  // nothing to align
        }
        const Numbered here = sorted(numbered), there = sorted(*other);
        const bool is_named = std::get<bool>(key) || std::get<ApiPhase>(key) != ApiPhase::forward;
        if (!is_named && !have_same_numbers(here, there)) {
            return false;
        }
        auto next = there.begin();
        for (const auto& [number, call] : here) {
            while (next != there.end() && next->first < number) {
                ++next;
            }
            if (next != there.end() && next->first == number) {
                add(call, next++->second, false);
            }
        }
        return true;
    }

    /// Equal last numbers may be chance: no pair is sure if the order differs, and a pair with other shapes is not.
    void doubt_numbers() {
        std::size_t highest = 0;
        bool same_order = true;
        for (std::size_t i = 0; i < here_.size(); ++i) {
            if (partners_[i] && here_[i].entry.phase == ApiPhase::forward && !here_[i].entry.is_module) {
                same_order = same_order && partners_[i]->call >= highest;
                highest = partners_[i]->call;
                partners_[i]->by_order = here_[i].shapes != there_[highest].shapes;
            }
        }
        for (std::size_t i = 0; i < here_.size() && !same_order; ++i) {
            if (partners_[i] && !here_[i].entry.is_module) {
                partners_[i]->by_order = true;
            }
        }
    }

    void pair_by_alignment() {
        const Sequence here = forwards_of(here_), there = forwards_of(there_);
        for (const Match& match : aligned(here, there)) {
            const std::size_t call = here.calls[match.first], other = there.calls[match.second];
            if (here_[call].entry.api == there_[other].entry.api) {
                add(call, other, true);
            }
        }
    }

    void pair_backwards(const ApiKey& key, const Numbered& numbered) {
        const Numbered* const other = calls_of(key);
        if (other == nullptr) {
            return;
        }
        const ApiKey forward{std::get<0>(key), ApiPhase::forward, false};
        const auto forwards = here_by_api_.find(forward);
        if (forwards == here_by_api_.end()) {
            if (have_same_numbers(sorted(numbered), sorted(*other))) {
                pair_by_number(key, numbered);
            }
            return;
        }
        std::unordered_map<std::uint64_t, std::size_t> twins, backwards;
        for (const auto& [number, call] : forwards->second) {
            twins.emplace(number, call);
        }
        for (const auto& [number, call] : *other) {
            backwards.emplace(number, call);
        }
        for (const auto& [number, call] : numbered) {
            const auto twin = twins.find(number);
            const std::optional<Partner> partner = twin == twins.end() ? std::nullopt : partners_[twin->second];
            const auto backward =
                partner ? backwards.find(there_[partner->call].entry.count.value_or(0)) : backwards.end();
            if (backward != backwards.end()) {
                add(call, backward->second, partner->by_order);
            }
        }
    }

    bool frameworks_differ_ = false;
    const Calls& here_;
    const Calls& there_;
    ByApi here_by_api_, there_by_api_;
    ByCommonName here_by_name_, there_by_name_;
    Partners partners_;
    std::vector<bool> is_used_;
};

}  // namespace

Partners pair_calls(const Calls& here, const Calls& there, bool frameworks_differ) {
    if (!are_alike(here, there)) {
        return Pairing(here, there, frameworks_differ).pair();
    }
    Partners partners;
    partners.reserve(here.size());
    for (std::size_t i = 0; i < here.size(); ++i) {
        partners.push_back(Partner{i, false});
    }
    return partners;
}

}  // namespace opdebug::api_pairs
