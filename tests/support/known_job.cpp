#include "known_job.hpp"

#include <fmt/format.h>

#include "dump_builder.hpp"
#include "log_builder.hpp"
#include "temporary_directory.hpp"

namespace opdebug::test {
namespace {

constexpr int kRanks = 64, kFirstRank = 37, kSecondRank = 44, kLateRank = 1;
constexpr int kFirstStep = 120, kLastStep = 129, kStepOfTruncated = 125;
constexpr int kStream = 21, kModel = 3, kLayers = 12;
constexpr int kExp = 177, kMatMul = 178, kLayerNorm = 179, kSecondExp = 160, kMul = 200, kUnknownTask = 250;
/// 00:26:40.005143 UTC; the log's clock is eight hours ahead.
constexpr std::int64_t kFirstUs = log_begin_us - 10LL * 3'600'000'000 + 1'600'000'000 + 5'143;
constexpr std::int64_t kStepUs = 2'000'000;

std::string path_of(const std::string& dumps, int rank, int step, int task, std::int64_t time_us) {
    return fmt::format("{}/rank_{}/20260304082600/{}/llama_train/1/{}/Opdebug.Node_OpDebug.{}.{}.{}", dumps, rank,
                       rank % 8, step, task, kStream, time_us);
}

Buffer bytes_of(int task, std::int64_t time_us, std::uint64_t status) {
    LegacyPayload payload = ai_core_example(status);
    payload.ai_core.model_id = kModel;
    payload.ai_core.stream_id = kStream;
    payload.ai_core.task_id = static_cast<std::uint64_t>(task);
    DumpFile dump = overflow_dump(build_payload(payload));
    dump.dump_time = static_cast<std::uint64_t>(time_us);
    return build_v2(dump);
}

/// The table of the model's tasks, as each process of a host logs it a second before the first overflow.
std::string log_of(int device) {
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

}  // namespace

KnownJob write_known_job(const std::string& root) {
    KnownJob job;
    job.dumps = root + "/dumps";
    job.logs = root + "/logs";
    const auto write = [&job](int rank, int step, int task, std::int64_t after_us, std::uint64_t status = 0x20) {
        const std::int64_t time = kFirstUs + after_us;
        write_file(path_of(job.dumps, rank, step, task, time), bytes_of(task, time, status));
    };
    job.first_file = path_of("", kFirstRank, kFirstStep, kExp, kFirstUs).substr(1);
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
                   log_of(rank));
    }
    for (int rank = 10; rank < 20; ++rank) {
        const std::int64_t time = kFirstUs + (kStepOfTruncated - kFirstStep) * kStepUs + rank;
        write_file(path_of(job.dumps, rank, kStepOfTruncated, kUnknownTask, time),
                   cut(bytes_of(kUnknownTask, time, 0x20), 1500));
    }
    return job;
}

}  // namespace opdebug::test
