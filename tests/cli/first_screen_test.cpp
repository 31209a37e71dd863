// The first screen of `scan` and `merge`: the answer about a job of 64 ranks whose first overflow is known.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "dump_builder.hpp"
#include "log_builder.hpp"
#include "report/text/text_table.hpp"
#include "temporary_directory.hpp"
#include "tool.hpp"

using namespace opdebug::test;

namespace {

constexpr int kRanks = 64, kFirstRank = 37, kSecondRank = 44, kLateRank = 1;
constexpr int kFirstStep = 120, kLastStep = 129, kStepOfTruncated = 125;
constexpr int kStream = 21, kModel = 3, kLayers = 12;
constexpr int kExp = 177, kMatMul = 178, kLayerNorm = 179, kSecondExp = 160, kMul = 200, kUnknownTask = 250;
/// 00:26:40.005143 UTC; the log's clock is eight hours ahead.
constexpr std::int64_t kFirstUs = log_begin_us - 10LL * 3'600'000'000 + 1'600'000'000 + 5'143;
constexpr std::int64_t kStepUs = 2'000'000;

std::string known_path(const std::string& dumps, int rank, int step, int task, std::int64_t time_us) {
    return fmt::format("{}/rank_{}/20260304082600/{}/llama_train/1/{}/Opdebug.Node_OpDebug.{}.{}.{}", dumps, rank,
                       rank % 8, step, task, kStream, time_us);
}

Buffer known_dump(int task, std::int64_t time_us, std::uint64_t status) {
    LegacyPayload payload = ai_core_example(status);
    payload.ai_core.model_id = kModel;
    payload.ai_core.stream_id = kStream;
    payload.ai_core.task_id = static_cast<std::uint64_t>(task);
    DumpFile dump = overflow_dump(build_payload(payload));
    dump.dump_time = static_cast<std::uint64_t>(time_us);
    return build_v2(dump);
}

/// The table of the model's tasks, as each process of a host logs it a second before the first overflow.
std::string known_log(int device) {
    LogText log(5100 + device);
    log.at_us(kFirstUs + 8LL * 3'600'000'000 - log_begin_us - 1'000'000);
    log.set_up_stream(kStream, device).bind(kModel, kStream, "llama_train");
    const auto task = [&log, device](int id, const std::string& op, const std::string& type) {
        log.runtime("StreamLaunchKernelWithHandle",
                    fmt::format("kernel info : device_id={}, stream_id={}, task_id=0, kernelAttrType=AICORE, "
                                "kernel_name={}_9f3c5d0e7ab1462c8d25e6f7013b94a8_high_performance_210000000, "
                                "arg_size=64, coreDim=24, mixType=0, taskRation=0, funcType=0",
                                device, kStream, type))
            .runtime("AllocTaskAndSendStars",
                     fmt::format("device_id={}, ts_id=0, sq_id=5, cq_id=6, stream_id={}, task_id={}, "
                                 "task_type=0(KERNEL), sendSqeNum=1, isSupportASyncRecycle=0, isNeedPostProc=0",
                                 device, kStream, id))
            .save_dump_task(op, kStream, id);
    };
    task(kSecondExp, "layer_9/attention/softmax/Exp", "Exp");
    task(kExp, "layer_11/attention/softmax/Exp", "Exp");
    task(kMatMul, "layer_12/mlp/dense/MatMulV2", "MatMulV2");
    task(kLayerNorm, "layer_13/ln/LayerNorm", "LayerNorm");
    for (int layer = 0; layer < kLayers; ++layer) {
        task(kMul + layer, fmt::format("layer_{}/mlp/Mul", layer), "Mul");
    }
    return log.text();
}

/// Rank 37 (device 5) overflows first: step 120, layer_11/attention/softmax/Exp, status 0x120, 2026-03-04 00:26:40.005
/// UTC; then layer_12/mlp/MatMulV2 and layer_13/ln/LayerNorm. Rank 44 follows 1.349 s later, 61 others from 1.350 s to
/// 1.408 s later, rank 1 only in step 121. In steps 121 to 129 every fourth rank (1, 5, ... 61) has the Exp and a Mul
/// of one of twelve layers. Ten dumps of step 125 are truncated.
struct KnownJob {
    std::string dumps, logs;  ///< folders
};

KnownJob write_known_job(const std::string& root) {
    KnownJob job;
    job.dumps = root + "/dumps";
    job.logs = root + "/logs";
    const auto write = [&job](int rank, int step, int task, std::int64_t after_us, std::uint64_t status = 0x20) {
        const std::int64_t time = kFirstUs + after_us;
        write_file(known_path(job.dumps, rank, step, task, time), known_dump(task, time, status));
    };
    write(kFirstRank, kFirstStep, kExp, 0, 0x120);
    write(kFirstRank, kFirstStep, kMatMul, 40'000);
    write(kFirstRank, kFirstStep, kLayerNorm, 80'000);
    write(kSecondRank, kFirstStep, kSecondExp, 1'349'000);
    std::int64_t others = 0;
    for (int rank = 0; rank < kRanks; ++rank) {
        if (rank != kFirstRank && rank != kSecondRank && rank != kLateRank) {
            write(rank, kFirstStep, kMul + rank % kLayers, 1'350'000 + others++ * 58'000 / 60);
        }
        for (int step = kFirstStep + 1; step <= kLastStep && rank % 4 == 1; ++step) {
            const std::int64_t after = (step - kFirstStep) * kStepUs + rank * 1'000;
            write(rank, step, kExp, after);
            write(rank, step, kMul + rank % kLayers, after + 100'000);
        }
        write_file(fmt::format("{}/plog-{}_20260304082639000.log", job.logs + "/debug/plog", 5100 + rank),
                   known_log(rank));
    }
    for (int rank = 10; rank < 20; ++rank) {
        const std::int64_t time = kFirstUs + (kStepOfTruncated - kFirstStep) * kStepUs + rank;
        write_file(known_path(job.dumps, rank, kStepOfTruncated, kUnknownTask, time),
                   cut(known_dump(kUnknownTask, time, 0x20), 1500));
    }
    return job;
}

ProcessResult scan_known(const KnownJob& job, std::vector<std::string> more, const std::string& columns = "100") {
    ProcessOptions options;
    options.environment = {{"TZ", "UTC"}, {"COLUMNS", columns}};
    more.insert(more.begin(), {"scan", job.dumps, "--logs", job.logs});
    return run_tool(more, options);
}

/// With the path as it was given.
std::string first_block(const KnownJob& job) {
    return R"(FIRST OVERFLOW   layer_11/attention/softmax/Exp (Exp)                    rank 37  device 5  step 120
  model llama_train   2026-03-04 08:26:40.005 (+08:00), 1.349 s before any other rank
  AI Core status 0x120: floating-point overflow, overflow in a conversion to float16
  )" + opdebug::report::shorten_path(known_path(job.dumps, kFirstRank, kFirstStep, kExp, kFirstUs), 98) +
           R"(
  next: 1. Check the loss scale; try this operator in float32; check that no divisor is near zero.
        2. Check casts to float16 in and before this operator; try its output in float32.
        3. The inputs were not dumped: set dump mode "all" for the next run, then use --tensors.
)";
}

const std::string spread_block =
    R"(
How it spread in step 120                                              (63 ranks; --ranks shows all)
  +0.000 s  rank 37   layer_11/…/Exp → layer_12/…/MatMulV2 → layer_13/ln/LayerNorm
  +1.349 s  rank 44   layer_9/attention/softmax/Exp
  …         61 ranks by +1.408 s
)";

const std::string operators_block =
    R"(
Operators, by first overflow                                                     (10 of 16; --top N)
     first  dumps  ranks  steps    operator                        causes       pattern
  +0.000 s    145     16  120-129  layer_11/attention/softmax/Exp  float, fp16  every step
  +0.040 s      1      1  120      layer_12/mlp/dense/MatMulV2     float        once
  +0.080 s      1      1  120      layer_13/ln/LayerNorm           float        once
  +1.349 s      1      1  120      layer_9/attention/softmax/Exp   float        once
)";

const std::string last_line = "363 dumps: 353 overflowed, 10 unreadable (truncated; --unreadable lists them)\n";

std::size_t widest_line(const std::string& text) {
    std::size_t columns = 0;
    for (const std::string& line : lines_of(text)) {
        columns = std::max(columns, opdebug::report::display_columns(line));
    }
    return columns;
}

}  // namespace

TEST_CASE("first screen: times are those of the run, also in filters") {
    const TemporaryDirectory directory;
    const KnownJob job = write_known_job(directory / "job");
    const std::string shown =
        scan_known(job, {"--format", "text", "--since", "2026-03-04 08:26:40", "--until", "2026-03-04 08:26:40"}).out;
    CHECK(contains(shown, "layer_13/ln/LayerNorm "));
    CHECK_FALSE(contains(shown, "layer_9/attention/softmax/Exp "));  // at 08:26:41
}

TEST_CASE("first screen: 64 ranks in 27 lines: the first overflow, its spread, the operators, the counts") {
    const TemporaryDirectory directory;
    const KnownJob job = write_known_job(directory / "job");
    const ProcessResult run = scan_known(job, {"--format", "text"});
    CHECK(run.exit_status == 1);
    CHECK(run.err == "opdebug: 363 dumps, 353 overflowed, 10 unreadable\n");
    const std::string expected = first_block(job) + spread_block + operators_block;
    CHECK(run.out.substr(0, expected.size()) == expected);
    CHECK(run.out.ends_with("\n\n" + last_line));
    CHECK(lines_of(run.out).size() <= 27);
    CHECK(widest_line(run.out) <= 100);

    for (const char* columns : {"80", "140"}) {
        const std::string text = scan_known(job, {"--format", "text"}, columns).out;
        CHECK(widest_line(text) <= static_cast<std::size_t>(std::stoi(columns)));
        CHECK(contains(text, "FIRST OVERFLOW   layer_11/attention/softmax/Exp (Exp)"));
        CHECK(contains(text, "1.349 s before any other rank"));
    }
}
