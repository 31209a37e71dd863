#include "told_tasks.hpp"

#include <fstream>

#include <fmt/format.h>

#include "dump_builder.hpp"
#include "log_builder.hpp"

namespace opdebug::damage {
namespace {

using namespace test;

constexpr std::uint64_t kTime = 1772618405000000;  // 2026-03-04 10:00:05 UTC, as the other dumps
constexpr int kLogged = 4000;                      // a second before, as the other lines

}  // namespace

ToldTask told_task(std::uint64_t number) {
    const std::uint64_t stream = 30000 + number % 7919, task = 20000 + number % 40009;
    ToldTask told{stream, task, fmt::format("told/op_{}", number), {}};
    const auto stream_id = static_cast<int>(stream), task_id = static_cast<int>(task);
    LogText log;
    log.at(kLogged);
    switch (number % 3) {
        case 0: log.save_dump_task(told.op, stream_id, task_id); break;
        case 1: log.kernel_trace(told.op, stream_id, task_id); break;
        default:
            log.device("ProcessDump",
                       fmt::format("[stream id:{}, task id:{}, context id:65535] op name[{}], op type[Relu]", stream,
                                   task, told.op));
    }
    told.line = log.text();
    return told;
}

void write_told_tasks(const std::filesystem::path& folder, const std::vector<ToldTask>& tasks) {
    std::filesystem::create_directories(folder / "tasks");
    std::ofstream expected(folder / "tasks.tsv");
    for (std::size_t number = 0; number < tasks.size(); ++number) {
        LegacyPayload payload = ai_core_example();
        payload.ai_core.stream_id = tasks[number].stream;
        payload.ai_core.task_id = tasks[number].task;
        const Buffer bytes = build_v2(overflow_dump(build_payload(payload)));
        const std::string name =
            fmt::format("Opdebug.Node_OpDebug.{}.{}.{}", tasks[number].task, tasks[number].stream, kTime + number);
        std::ofstream file(folder / "tasks" / name, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
        expected << name << '\t' << tasks[number].op << '\n';
    }
}

}  // namespace opdebug::damage
