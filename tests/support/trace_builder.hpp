// Traces of torch_npu's profiler for tests: spans and flows as its writer gives them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace opdebug::test {

/// Times are microseconds after the trace's begin, in the tests' year 2023.
class MadeTrace {
public:
    static constexpr std::uint64_t kBegin = 1'699'529'623'000'000;

    /// An operation of the host. `sequence`: of automatic differentiation; negative: none.
    void operation(const std::string& name, std::uint64_t start, std::uint64_t duration, int thread = 1,
                   int sequence = -1);
    void step(std::uint64_t number, std::uint64_t start, std::uint64_t duration);
    /// A task of the device, and the flow to it from a location on the host.
    void launch(std::uint64_t stream, std::uint64_t task, const std::string& kernel, std::uint64_t start,
                std::uint64_t host_time, int host_thread = 1);
    /// A task that no flow leads to.
    void task(std::uint64_t stream, std::uint64_t task, const std::string& kernel, std::uint64_t start,
              const std::string& stream_key = "Stream Id");
    void flow(const std::string& category, const std::string& id, std::uint64_t from, int from_thread, std::uint64_t to,
              int to_process, int to_thread);
    /// Any event, as JSON.
    void event(std::string json) { events_.push_back(std::move(json)); }

    std::string text() const;       ///< a list
    std::string in_object() const;  ///< {"traceEvents": [...]}
    const std::vector<std::string>& events() const { return events_; }

private:
    std::vector<std::string> events_;
};

}  // namespace opdebug::test
