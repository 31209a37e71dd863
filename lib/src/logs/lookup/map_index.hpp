// Finds what a question about one record requests in all processes of a task map: a search, where going through the
// facts cost the number of dumps times the number of facts, or of processes.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/lookup/stream_window.hpp"

namespace opdebug::logs {

/// What facts are found by, with one number or two.
enum class About : std::uint8_t {
    task,                       ///< facts on a stream and task
    stream,                     ///< facts that name a stream, with a task or without
    kernel_at_address,          ///< launches that name a kernel whose code has the address, of host processes
    overflow,                   ///< reports of overflows, by stream and the low half of a number of their task
    wrap_of_ids,                ///< by stream
    wrap_of_ids_on_device,      ///< by stream and device
    wrap_of_ids_on_any_device,  ///< by stream: lines without a device
    pause,                      ///< of the log
    runtime_model,              ///< by its id
    ge_model_with_graph,        ///< by GE's id
    ge_model_with_name,         ///< by GE's id
    graph,                      ///< by its id
    model_of_stream,            ///< by stream
    set_up,                     ///< by GE, of a stream
    set_up_for_runtime_model,   ///< the same, where the line has the runtime's id
    set_up_for_ge_model,        ///< the same, where the line has GE's id
    execution_of_ge_model,      ///< lines with both ids of a model, by GE's
    execution_of_runtime_model,
    load_end_of_model,
    end_of_runtime_model,
    end_of_ge_model,
};

/// Of one map, whose facts must stay where they are as long as this is used.
class MapIndex {
public:
    explicit MapIndex(const TaskMap::Contents& map);

    /// Of a process, the facts about something: their indices among its facts.
    Places facts(const Process& process, About about, std::uint64_t first = 0, std::uint64_t second = 0) const;
    /// Of the map, the processes with such facts, in their order: their indices among the processes.
    Places processes(About about, std::uint64_t first, std::uint64_t second = 0) const;

    /// The devices that the process's lines name, ascending; without the graph compiler's.
    const std::vector<std::uint64_t>& devices(const Process& process) const { return devices_[number_of(process)]; }

    /// Of these, those that lines on the process at large name: which tasks and streams were requested makes no
    /// difference.
    const std::vector<std::uint64_t>& own_devices(const Process& process) const {
        return own_devices_[number_of(process)];
    }

    /// Its rank among all processes of the job, where its largest group is that of all.
    std::optional<std::uint64_t> rank(const Process& process) const {
        return process.rank_count == job_ranks_ ? process.rank : std::nullopt;
    }

    /// Whether the process's lines show bindings of streams to models at all.
    bool binds_models(const Process& process) const { return binds_models_[number_of(process)]; }

    /// As history_of_stream(). Thread-safe.
    std::shared_ptr<const StreamHistory> history(const Process& process, std::uint64_t stream_id,
                                                 DeviceFilter device) const;

    /// Of a host, with a process id: firmware lines have -1. Device logs hold lines of drivers under pids of their own.
    static bool is_host(const Process& process) noexcept {
        return !process.on_device && process.pid >= 0 && !process.without_host_lines;
    }
    /// All such processes, in their order.
    const std::vector<const Process*>& host_processes() const noexcept { return host_processes_; }
    /// The folders of all logs, each once.
    const std::vector<std::string>& roots() const noexcept { return roots_; }
    /// Whether a host process whose logs lie there works on the device, by the driver's number.
    bool is_worked_on(const std::string& root, std::uint64_t device) const {
        return devices_of_roots_.contains({root, device});
    }
    /// Of the host processes whose log begins at a time or before, the one that ends last; null: there is none.
    const Process* last_of_those_begun(std::int64_t time_us) const;
    /// The first host process whose lines have times and state something; null: none.
    const Process* first_with_statements() const noexcept { return first_with_statements_; }
    bool has_run_logs() const noexcept { return has_run_logs_; }      ///< a file below a folder "run"
    bool has_debug_logs() const noexcept { return has_debug_logs_; }  ///< a file below a folder "debug"
    /// A path that could not be read may have held logs of that kind: it does not lie in the other kind's folder.
    bool may_miss_run_logs() const noexcept { return may_miss_run_logs_; }
    bool may_miss_debug_logs() const noexcept { return may_miss_debug_logs_; }

private:
    struct Key {
        std::uint32_t process = 0;
        About about = About::task;
        std::uint64_t first = 0, second = 0;
        // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
        friend auto operator<=>(const Key&, const Key&) = default;
    };
    using Entries = std::vector<FactPlaces<Key>::Entry>;
    using HostsByBegin = std::vector<std::pair<std::int64_t, const Process*>>;

    std::uint32_t number_of(const Process& process) const;
    void add_process(const Process& process, Entries& facts, Entries& processes);
    void add_fact(std::uint32_t process, std::uint32_t place, Entries& facts, Entries& processes);
    void sort_hosts_by_begin();

    const TaskMap::Contents& map_;
    FactPlaces<Key> facts_;                                ///< indices into the facts of a process
    FactPlaces<Key> processes_;                            ///< the process of the key is 0; indices into the processes
    std::vector<std::vector<std::uint64_t>> devices_;      ///< by process
    std::vector<std::vector<std::uint64_t>> own_devices_;  ///< by process
    std::uint64_t job_ranks_ = 0;                          ///< of the largest group; 0: there are several
    std::vector<bool> binds_models_;                       ///< by process
    mutable std::mutex mutex_;                             ///< of `histories_`
    /// Of the streams that were requested, by process, stream and device.
    mutable std::map<std::tuple<std::uint32_t, std::uint64_t, DeviceFilter>, std::shared_ptr<const StreamHistory>>
        histories_;
    std::vector<const Process*> host_processes_;
    std::vector<std::string> roots_;
    std::set<std::pair<std::string, std::uint64_t>> devices_of_roots_;
    /// By the begin of their logs; each with the one that ends last among it and those before.
    HostsByBegin hosts_by_begin_;
    const Process* first_with_statements_ = nullptr;
    bool has_run_logs_ = false;
    bool has_debug_logs_ = false;
    bool may_miss_run_logs_ = false;
    bool may_miss_debug_logs_ = false;
};

/// Of the facts of a process at some indices that satisfy a condition, the one nearest to the time: of two equally near
/// the earlier one, of several at its time the first. Null: none satisfies it. Cheap where most facts do.
const StoredFact* nearest_fact(const Process& process, Places places, std::int64_t time_us,
                               const std::function<bool(const StoredFact&)>& condition);

}  // namespace opdebug::logs
