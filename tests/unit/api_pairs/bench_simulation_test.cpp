// Training steps on two sides with a planted NaN: a sure answer is the planted step, rank and call, or there is none
// and the missing dump is named. Masks, unwritten memory, random calls, missing rows, statistics and files are in the
// way. OPDEBUG_PAIR_SEEDS sets the number of seeds (default: 100).
#include <doctest/doctest.h>

#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api_pairs/bench.hpp"
#include "api_run.hpp"
#include "random.hpp"

using namespace opdebug;
using namespace opdebug::api_pairs;
using namespace opdebug::test;

namespace {

enum class CallRole { plain, mask, unwritten, random, exchange, gradient };

/// One call of every rank, without its values.
struct PlannedCall {
    std::string name;
    CallRole role = CallRole::plain;
};

class SimulatedPair {
public:
    explicit SimulatedPair(std::uint64_t seed) : random_(seed) {
        steps_ = 1 + random_.below(4);
        ranks_ = 1 + random_.below(3);
        persists_ = random_.one_in(2);
        plan();
        do {
            planted_call_ = static_cast<std::size_t>(random_.below(plan_.size()));
        } while (plan_[planted_call_].role != CallRole::plain);
        planted_step_ = random_.below(steps_);
        planted_rank_ = random_.below(ranks_);
        has_losses_ = random_.one_in(2);
        for (std::uint64_t step = 0; step < steps_; ++step) {
            if (step == planted_step_ || (persists_ && step > planted_step_)) {
                here_bad_.insert(step);
            }
            if (random_.one_in(6)) {
                there_bad_.insert(step);
            }
        }
    }

    void write(ApiRun& here, ApiRun& there) {
        for (std::uint64_t step = 0; step < steps_; ++step) {
            write_step(here, step, true);
            write_step(there, step, false);
        }
    }

    /// Steps with a rank that is bad only here, by the rows that were written.
    std::set<std::uint64_t> only_here() const {
        std::set<std::uint64_t> steps;
        for (const auto& shown : shown_here_) {
            if (!shown_there_.contains(shown)) {
                steps.insert(shown.first);
            }
        }
        return steps;
    }

    bool is_planted(const Break& one) const {
        return one.step == planted_step_ && one.rank == planted_rank_ && one.api == plan_[planted_call_].name;
    }
    bool has_losses() const { return has_losses_; }
    bool shows_bad_here() const { return !shown_here_.empty(); }
    bool is_bad_there() const { return !shown_there_.empty(); }
    std::uint64_t planted_step() const { return planted_step_; }
    std::uint64_t here_bad_steps() const { return here_bad_.size(); }
    std::uint64_t there_bad_steps() const { return there_bad_.size(); }
    std::string planted() const {
        return fmt::format("step {} rank {} {}", planted_step_, planted_rank_, plan_[planted_call_].name);
    }

private:
    void plan() {
        const std::uint64_t layers = 1 + random_.below(4);
        std::vector<std::string> forwards;
        plan_.push_back({"Torch.full.0.forward", CallRole::mask});
        for (std::uint64_t layer = 0; layer < layers; ++layer) {
            for (const char* const api : {"Functional.linear", "Functional.gelu", "Tensor.__mul__", "Torch.matmul"}) {
                if (!random_.one_in(4)) {
                    forwards.push_back(fmt::format("{}.{}", api, layer));
                    plan_.push_back({forwards.back() + ".forward", CallRole::plain});
                }
            }
            if (random_.one_in(2)) {
                plan_.push_back({fmt::format("Functional.dropout.{}.forward", layer), CallRole::random});
            }
            if (random_.one_in(3)) {
                plan_.push_back({fmt::format("Torch.empty.{}.forward", layer), CallRole::unwritten});
            }
            if (random_.one_in(2)) {
                plan_.push_back({fmt::format("Distributed.all_reduce.{}.forward", layer), CallRole::exchange});
            }
        }
        forwards.emplace_back("Functional.cross_entropy.0");
        plan_.push_back({"Functional.cross_entropy.0.forward", CallRole::plain});
        for (auto forward = forwards.rbegin(); forward != forwards.rend(); ++forward) {
            plan_.push_back({*forward + ".backward", CallRole::plain});
        }
        plan_.push_back({"Module.fc.Linear.parameters_grad.0", CallRole::gradient});
    }

    /// The value that flows after `call` calls; small noise on the side of the NPU.
    MadeValue flowing(std::uint64_t rank, std::size_t call, bool is_here) const {
        const double noise = is_here ? 1 + 1e-4 * static_cast<double>(call % 3) : 1;
        const double base = (1 + static_cast<double>((call * 37 + rank * 11) % 50) / 10) * noise;
        MadeValue value = made_tensor(fmt::format("{:.6f}", base), fmt::format("{:.6f}", -base / 2));
        value.norm = fmt::format("{:.6f}", base * 3);
        return value;
    }

    MadeValue value_of(std::uint64_t rank, std::size_t call, bool is_here, bool is_bad) {
        return is_bad ? nan_tensor() : flowing(rank, call, is_here);
    }

    /// A lost statistic of either side.
    MadeValue with_losses(MadeValue value) {
        if (has_losses_ && random_.one_in(40)) {
            value.max = value.min = value.norm = "null";
        }
        return value;
    }

    void write_step(ApiRun& run, std::uint64_t step, bool is_here) {
        const bool is_bad_step = (is_here ? here_bad_ : there_bad_).contains(step);
        const bool bad_from_start = is_here && step > planted_step_ && is_bad_step;
        std::vector<std::vector<MadeCall>> calls(ranks_);
        std::vector<bool> is_bad(ranks_, bad_from_start);
        for (std::size_t i = 0; i < plan_.size(); ++i) {
            const bool is_planted = is_bad_step && !bad_from_start && i == planted_call_;
            const std::vector<bool> before = is_bad;
            bool any_bad = false;
            for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
                any_bad = any_bad || is_bad[rank];
            }
            for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
                is_bad[rank] = is_bad[rank] || (is_planted && rank == planted_rank_) ||
                               (plan_[i].role == CallRole::exchange && any_bad);
                if (!(has_losses_ && random_.one_in(40))) {
                    calls[rank].push_back(call_at(rank, i, is_here, before[rank], is_bad[rank]));
                }
            }
        }
        for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
            if (!(has_losses_ && random_.one_in(25))) {
                note_shown(step, rank, is_here, calls[rank]);
                run.add(step, rank, std::move(calls[rank]));
            }
        }
    }

    void note_shown(std::uint64_t step, std::uint64_t rank, bool is_here, const std::vector<MadeCall>& calls) {
        for (const MadeCall& call : calls) {
            std::vector<MadeValue> values = call.inputs;
            values.insert(values.end(), call.outputs.begin(), call.outputs.end());
            for (const auto& parameter : call.parameters) {
                values.push_back(parameter.second);
            }
            for (const MadeValue& value : values) {
                if (value.max == "NaN" && call.name.find("empty") == std::string::npos) {
                    (is_here ? shown_here_ : shown_there_).insert({step, rank});
                }
            }
        }
    }

    MadeCall call_at(std::uint64_t rank, std::size_t i, bool is_here, bool bad_before, bool bad_after) {
        const PlannedCall& planned = plan_[i];
        const MadeValue input = with_losses(value_of(rank, i, is_here, bad_before));
        const MadeValue output = with_losses(value_of(rank, i + 1, is_here, bad_after));
        switch (planned.role) {
            case CallRole::mask:
                return made_call(planned.name, {made_scalar("float", "-Infinity")},
                                 {made_tensor("-Infinity", "-Infinity")});
            case CallRole::unwritten:
                return made_call(planned.name, {}, {is_here ? nan_tensor({2, 2}) : made_tensor()});
            case CallRole::exchange: {
                std::vector<std::int64_t> ranks;
                for (std::uint64_t one = 0; one < ranks_; ++one) {
                    ranks.push_back(static_cast<std::int64_t>(one));
                }
                const std::size_t end = planned.name.rfind('.'), begin = planned.name.rfind('.', end - 1) + 1;
                return collective("all_reduce", std::stoull(planned.name.substr(begin, end - begin)), {input}, {output},
                                  ranks);
            }
            case CallRole::gradient: {
                MadeCall call;
                call.name = planned.name;
                call.parameters = {{"weight", input}};
                return call;
            }
            case CallRole::random: {
                MadeValue changed = output;
                changed.max = bad_after || !is_here ? changed.max : "60.5";
                return made_call(planned.name, {input}, {changed});
            }
            default: return made_call(planned.name, {input}, {output});
        }
    }

    Random random_;
    std::uint64_t steps_ = 1, ranks_ = 1, planted_step_ = 0, planted_rank_ = 0;
    std::size_t planted_call_ = 0;
    bool persists_ = false, has_losses_ = false;
    std::vector<PlannedCall> plan_;
    std::set<std::uint64_t> here_bad_, there_bad_;
    std::set<std::pair<std::uint64_t, std::uint64_t>> shown_here_, shown_there_;  ///< steps and ranks with a bad value
};

std::uint64_t number_of_seeds() {
    const char* const text = std::getenv("OPDEBUG_PAIR_SEEDS");
    return text == nullptr ? 100 : std::strtoull(text, nullptr, 10);
}

/// How often the answer was sure, and how often there had to be one.
struct Totals {
    std::uint64_t sure = 0, due = 0, named = 0;
};

void check_problem(const SimulatedPair& pair, const BenchComparison& bench) {
    const std::set<std::uint64_t> only_here = pair.only_here();
    if (bench.problem) {
        REQUIRE(!only_here.empty());
        CHECK(*bench.steps[*bench.problem].step == *only_here.begin());
        CHECK((bench.rule == ProblemRule::here_only || bench.rule == ProblemRule::more_often));
        CHECK(!(bench.is_strong && bench.rule == ProblemRule::here_only && pair.is_bad_there()));
    } else if (pair.has_losses()) {
        CHECK((bench.rule == ProblemRule::not_known ? !bench.needed.empty()
               : bench.rule == ProblemRule::alike   ? true
                                                    : !pair.shows_bad_here()));
    } else {
        CHECK(bench.rule == ProblemRule::alike);
        CHECK(pair.here_bad_steps() <= pair.there_bad_steps());
    }
}

void check_breaks(const SimulatedPair& pair, const BenchComparison& bench, Totals& totals) {
    bool is_sure = false, is_named = false;
    for (const Break& one : bench.breaks) {
        if (one.is_strong) {
            CHECK_MESSAGE(pair.is_planted(one), one.api);
            is_sure = true;
        }
        is_named = is_named || one.kind != BreakKind::not_known || !one.needed.empty();
    }
    const bool is_planted_step = bench.problem && bench.steps[*bench.problem].step == pair.planted_step();
    if (is_planted_step && !pair.has_losses()) {
        ++totals.due;
        CHECK(is_sure);
    } else if (bench.problem && !is_sure) {
        CHECK(is_named);
        ++totals.named;
    }
    totals.sure += is_sure ? 1U : 0U;
}

}  // namespace

TEST_CASE("bench: in simulated steps a sure answer is the planted step and call") {
    Totals totals;
    for (std::uint64_t seed = 0; seed < number_of_seeds(); ++seed) {
        SimulatedPair pair(seed);
        ApiRun here, there;
        pair.write(here, there);
        const Result<BenchReport> report = compare_with_bench({here.path()}, {there.path()}, {{}, 0});
        if (!report || report->here.counts.files == 0 || report->bench.counts.files == 0) {
            continue;
        }
        CAPTURE(seed);
        CAPTURE(pair.planted());
        check_problem(pair, report->bench);
        check_breaks(pair, report->bench, totals);
    }
    MESSAGE(totals.sure << " sure answers of " << number_of_seeds() << ", " << totals.due << " due, " << totals.named
                        << " with the missing dump named");
    CHECK(totals.sure * 3 > number_of_seeds());
}
