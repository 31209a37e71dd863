// Random runs with a trace: each overflow is tied to the call that was made to launch its task.
#include <map>
#include <utility>

#include <doctest/doctest.h>

#include "made_ties.hpp"
#include "random.hpp"
#include "temporary_directory.hpp"
#include "trace_builder.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::uint64_t kRuns = 150;

struct MadeApi {
    const char* api;
    const char* operation;
    const char* inner;
    const char* type;
    const char* node;
    const char* backward_type;
};

/// APIs that nothing else makes the operation of, and two that are only present.
constexpr MadeApi kApis[] = {
    {"Functional.linear", "aten::linear", "aten::addmm", "MatMulV2", "AddmmBackward0", "MatMulV2"},
    {"Functional.gelu", "aten::gelu", "aten::gelu_out", "Gelu", "GeluBackward0", "GeluGrad"},
    {"Functional.cross_entropy", "aten::cross_entropy_loss", "aten::nll_loss", "NLLLoss", "NllLossBackward0",
     "NLLLossGrad"},
    {"Functional.mse_loss", "aten::mse_loss", "aten::mse_loss_out", "MseLoss", "MseLossBackward0", "MseLossGrad"},
};
constexpr const char* kAround[] = {"aten::relu", "aten::add_", "npu::npu_format_cast", "aten::to"};

/// One rank that trains for some steps; task ids wrap after a few.
class Run {
public:
    explicit Run(std::uint64_t seed) : random_(seed), wrap_(2 + random_.below(9)) {
        for (std::uint64_t step = 0; step < 1 + random_.below(3); ++step) {
            one_step(step);
        }
        // Nothing states that a trace is sorted.
        if (random_.one_in(2)) {
            std::vector<std::string> events = trace_.events();
            for (std::size_t i = events.size(); i > 1; --i) {
                std::swap(events[i - 1], events[static_cast<std::size_t>(random_.below(i))]);
            }
            trace_ = MadeTrace();
            for (std::string& event : events) {
                trace_.event(std::move(event));
            }
        }
    }

    const MadeTrace& trace() const { return trace_; }
    ApiReport report() const { return made_report(findings_); }
    const std::vector<KernelOverflow>& overflows() const { return overflows_; }
    const std::vector<std::size_t>& expected() const { return expected_; }

    /// exact only where the step has no second such operation and the overflow's type is known.
    ApiTieLevel level(std::size_t overflow) const {
        const auto& [step, api] = calls_of_overflows_[overflow];
        const bool is_only = operations_.at({step, api}) == 1 && !overflows_[overflow].operator_type.empty();
        return is_only ? ApiTieLevel::exact : ApiTieLevel::type_only;
    }

private:
    using StepAndApi = std::pair<std::uint64_t, const MadeApi*>;

    void launch(const std::string& type, std::uint64_t host_time, int thread, bool planted, StepAndApi call = {}) {
        device_ = std::max(device_ + 5, host_time + 50);
        const std::uint64_t stream = random_.below(3), task = next_task_++ % wrap_;
        trace_.launch(stream, task, "aclnnX_Y_" + type, device_, host_time, thread);
        if (planted) {
            KernelOverflow overflow = made_overflow(random_.one_in(2) ? type : "", MadeTrace::kBegin + device_ + 4);
            overflow.stream_id = stream;
            overflow.task_id = task;
            overflows_.push_back(overflow);
            expected_.push_back(findings_.size());
            calls_of_overflows_.push_back(call);
        }
    }

    void add_finding(std::uint64_t step, const std::string& api) {
        ApiFinding finding = made_finding(api, findings_.size());
        finding.step = step;
        finding.file = "dump/step" + std::to_string(step) + "/rank0/dump.json";
        findings_.push_back(finding);
    }

    void one_step(std::uint64_t step) {
        const std::uint64_t begin = now_;
        std::map<const MadeApi*, std::uint64_t> counts;
        struct Done {
            const MadeApi* api;
            std::uint64_t count;
            int sequence;
        };
        std::vector<Done> done;
        for (std::uint64_t call = 0; call < 1 + random_.below(12); ++call) {
            if (random_.one_in(3)) {
                trace_.operation(random_.one_of(kAround), now_, 10);
                launch("Other", now_ + 2, 1, false);
                now_ += 20;
            }
            const MadeApi& api = random_.one_of(kApis);
            const std::uint64_t count = counts[&api]++;
            ++operations_[{step, &api}];
            trace_.operation(api.operation, now_, 40);
            trace_.operation(api.inner, now_ + 10, 20, 1, ++sequence_);
            const bool planted = random_.one_in(3);
            launch(api.type, now_ + 15, 1, planted, {step, &api});
            if (planted) {
                add_finding(step, std::string(api.api) + "." + std::to_string(count) + ".forward");
            }
            done.push_back({&api, count, sequence_});
            now_ += 60;
        }
        for (auto call = done.rbegin(); call != done.rend(); ++call) {
            trace_.operation("autograd::engine::evaluate_function: " + std::string(call->api->node), now_, 50, 2,
                             call->sequence);
            trace_.operation(call->api->node, now_ + 1, 45, 2, call->sequence);
            trace_.operation("aten::mul", now_ + 5, 10, 2);
            const bool planted = random_.one_in(4);
            launch(call->api->backward_type, now_ + 7, 2, planted, {step, call->api});
            if (planted) {
                add_finding(step, std::string(call->api->api) + "." + std::to_string(call->count) + ".backward");
            }
            now_ += 60;
        }
        trace_.step(step, begin, now_ - begin - 1);
        now_ += 30;
    }

    Random random_;
    std::uint64_t wrap_;
    MadeTrace trace_;
    std::uint64_t now_ = 100, device_ = 0, next_task_ = 0;
    int sequence_ = 0;
    std::vector<ApiFinding> findings_;
    std::vector<KernelOverflow> overflows_;
    std::vector<std::size_t> expected_;
    std::vector<StepAndApi> calls_of_overflows_;
    std::map<StepAndApi, std::uint64_t> operations_;
};

}  // namespace

TEST_CASE("ties by trace: planted overflows are tied to their calls") {
    TemporaryDirectory folder;
    std::uint64_t all = 0, exact = 0;
    for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
        CAPTURE(seed);
        const Run run(seed);
        ApiTieOptions options;
        options.traces = {write_file(folder / "trace_view.json", run.trace().text())};
        const ApiReport report = run.report();
        const Result<ApiTies> ties = tie_api_findings(report, run.overflows(), options);
        REQUIRE(ties.ok());
        std::vector<std::size_t> listed(run.overflows().size());
        std::vector<bool> has_expected(run.overflows().size());
        for (const ApiTie& tie : ties->ties) {
            CAPTURE(tie.overflow);
            CAPTURE(tie.because);
            REQUIRE(tie.level == run.level(tie.overflow));
            ++listed[tie.overflow];
            has_expected[tie.overflow] = has_expected[tie.overflow] || tie.finding == run.expected()[tie.overflow];
        }
        for (std::size_t i = 0; i < listed.size(); ++i) {
            CAPTURE(i);
            const bool is_exact = run.level(i) == ApiTieLevel::exact;
            REQUIRE((has_expected[i] || (!is_exact && listed[i] == 5)));  // of more than five not all are listed
            REQUIRE((!is_exact || listed[i] == 1));
            exact += is_exact ? 1U : 0U;
            all += has_expected[i] ? 1U : 0U;
        }
    }
    CHECK(all > 500);
    CHECK(exact > 20);
}
