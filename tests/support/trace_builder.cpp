#include "trace_builder.hpp"

#include <fmt/format.h>

namespace opdebug::test {
namespace {

constexpr int kHostProcess = 4242;
constexpr int kDeviceProcess = 96;

/// torch_npu writes times as texts with three decimals (its TraceEventManager).
std::string time_text(std::uint64_t microseconds) {
    return fmt::format("\"{}.750\"", MadeTrace::kBegin + microseconds);
}

}  // namespace

void MadeTrace::operation(const std::string& name, std::uint64_t start, std::uint64_t duration, int thread,
                          int sequence) {
    events_.push_back(fmt::format(
        R"({{"ph": "X", "name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": {}, "cat": "cpu_op", "args": {{{}}}}})",
        name, kHostProcess, thread, time_text(start), duration,
        sequence < 0 ? "" : fmt::format(R"("Sequence number": {}, "Fwd thread id": 0)", sequence)));
}

void MadeTrace::step(std::uint64_t number, std::uint64_t start, std::uint64_t duration) {
    operation(fmt::format("ProfilerStep#{}", number), start, duration);
}

void MadeTrace::task(std::uint64_t stream, std::uint64_t task, const std::string& kernel, std::uint64_t start,
                     const std::string& stream_key) {
    events_.push_back(fmt::format(
        R"({{"name": "{}", "pid": {}, "tid": {}, "ts": {}, "dur": 2.5, "ph": "X", "args": {{"Model Id": 4294967295, )"
        R"("Task Type": "AI_CORE", "{}": {}, "Task Id": {}, "connection_id": 7}}}})",
        kernel, kDeviceProcess, stream, time_text(start), stream_key, stream, task));
}

void MadeTrace::flow(const std::string& category, const std::string& id, std::uint64_t from, int from_thread,
                     std::uint64_t to, int to_process, int to_thread) {
    const char* const form =
        R"({{"ph": "{}", "bp": "e", "name": "torch_to_npu", "id": "{}", "pid": {}, "tid": {}, "ts": {}, "cat": "{}"}})";
    events_.push_back(fmt::format(fmt::runtime(form), "s", id, kHostProcess, from_thread, time_text(from), category));
    events_.push_back(fmt::format(fmt::runtime(form), "f", id, to_process, to_thread, time_text(to), category));
}

void MadeTrace::launch(std::uint64_t stream, std::uint64_t number, const std::string& kernel, std::uint64_t start,
                       std::uint64_t host_time, int host_thread) {
    task(stream, number, kernel, start);
    flow("async_npu", fmt::format("{}{:03}", kBegin + start, stream % 1000), host_time, host_thread, start,
         kDeviceProcess, static_cast<int>(stream));
}

std::string MadeTrace::text() const {
    std::string text = "[";
    for (const std::string& event : events_) {
        text += (text.size() > 1 ? ", " : "") + event;
    }
    return text + "]";
}

std::string MadeTrace::in_object() const {
    return R"({"schemaVersion": 1, "deviceProperties": [{"id": 0}], "traceEvents": )" + text() +
           R"(, "traceName": "x"})";
}

}  // namespace opdebug::test
