// A profiler's trace: the events before the damage are what they were, and the damage is reported.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api_ties/trace.hpp"
#include "every_byte.hpp"
#include "is_json.hpp"
#include "memory_file.hpp"
#include "trace_builder.hpp"

namespace opdebug::damage {
namespace {

using namespace test;

std::string shown(const api_ties::TraceEvent& event) {
    const auto number = [](const auto& value) { return value ? fmt::format("{}", *value) : std::string("-"); };
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}|{}", event.phase, event.name, event.category, event.id,
                       event.process, event.thread, number(event.start_ns), number(event.duration_ns),
                       number(event.stream), number(event.physical_stream), number(event.task), number(event.sequence));
}

struct Reading {
    std::optional<Error> error;
    std::vector<std::string> events;

    std::string code() const { return std::string(error ? to_string(error->code) : "ok"); }
};

class TraceFile {
public:
    TraceFile(Findings& findings, std::string text, const std::vector<std::string>& events)
        : findings_(findings), text_(std::move(text)), sound_(read(text_)) {
        std::size_t end = text_.find(events.front());
        for (const std::string& event : events) {
            begins_.push_back(text_.find(event, end));
            end = begins_.back() + event.size();
            ends_.push_back(end);
        }
        findings.require(!sound_.error && sound_.events.size() == events.size(), "the trace is sound at first",
                         sound_.code());
    }

    const std::string& text() const noexcept { return text_; }

    std::string look(const Buffer& damaged, const Damage& damage) const {
        const std::string text(damaged.begin(), damaged.end());
        const Reading now = read(text);
        const auto before = static_cast<std::size_t>(
            std::count_if(ends_.begin(), ends_.end(), [&damage](std::size_t end) { return end <= damage.place; }));
        for (std::size_t i = 0; i < before; ++i) {
            findings_.require(i < now.events.size() && now.events[i] == sound_.events[i],
                              "an event in front of the damage is what it was", now.code());
        }
        if (damage.cut) {
            findings_.require(now.events.size() <= before, "nothing is read of an event that is not whole");
            findings_.require(damage.place >= list_end() || now.error, "a cut list is an error", now.code());
        } else if (damage.place < list_end() && damage.place >= begins_.front()) {
            look_behind(now, text);
        }
        return fmt::format("{} of {} events, {}", now.events.size(), sound_.events.size(), now.code());
    }

private:
    static Reading read(const std::string& text) {
        const MemoryFile file{Bytes(text)};
        std::vector<std::string> events;
        std::optional<Error> error = api_ties::read_trace_file(
            file.path(), {}, [&events](const api_ties::TraceEvent& event) { events.push_back(shown(event)); });
        return {std::move(error), std::move(events)};
    }

    std::size_t list_end() const noexcept { return ends_.back() + 1; }

    void look_behind(const Reading& now, const std::string& text) const {
        const bool is_sound = is_json(text);
        findings_.require(is_sound || now.error, "what is no JSON is an error", now.code());
        findings_.require(!is_sound || !now.error, "what is JSON is not called damaged", now.code());
        findings_.require(now.events.size() <= sound_.events.size(), "there are no further events", now.code());
    }

    Findings& findings_;
    std::string text_;
    Reading sound_;
    std::vector<std::size_t> begins_, ends_;
};

}  // namespace

void try_api_trace(Findings& findings) {
    MadeTrace trace;
    trace.step(0, 0, 1000);
    trace.operation("aten::linear", 100, 50, 1, 12);
    trace.launch(3, 71, "aclnnAddmm_MatMulCommon_MatMulV2", 500, 115);
    trace.event(
        R"({"ph": "X", "name": "aten::mm", "pid": 4242, "tid": 1, "ts": "1699529623000700.5", "dur": 5, "args": )"
        R"({"Input Dims": [[4, 8], [8, 16]], "Input type": ["half", "half"]}})");
    trace.operation("aten::add_", 900, 10);
    for (const std::string& text : {trace.text(), trace.in_object()}) {
        const TraceFile file(findings, text, trace.events());
        findings.try_all("trace_view.json", Buffer(text.begin(), text.end()),
                         [&file](const Buffer& damaged, const Damage& damage) { return file.look(damaged, damage); });
    }
}

}  // namespace opdebug::damage
