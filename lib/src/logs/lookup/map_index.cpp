#include "logs/lookup/map_index.hpp"

#include <algorithm>
#include <functional>
#include <mutex>
#include <set>
#include <string>

namespace opdebug::logs {
namespace {

/// More streams on a device than a job of some hundred ranks has.
constexpr std::size_t kMostHistories = 65'536;

bool lies_in(const std::string& path, std::string_view folder) {
    const std::string name = std::string(folder) + "/";
    return path.find("/" + name) != std::string::npos || path.starts_with(name);
}

bool any_file_in(const TaskMap::Contents& map, std::string_view folder) {
    return std::any_of(map.files.begin(), map.files.end(),
                       [folder](const std::string& path) { return lies_in(path, folder); });
}

/// The folder itself may be what could not be read.
bool any_unread_outside_of(const TaskMap::Contents& map, std::string_view folder) {
    return std::any_of(map.unread.begin(), map.unread.end(),
                       [folder](const Error& failure) { return !lies_in(failure.file + "/", folder); });
}

/// Lists the keys of one fact. `Add`: receives what the fact is about, with one number or two.
template <class Add>
class KeysOfFact {
public:
    KeysOfFact(const Fact& fact, const Add& add) : fact_(fact), add_(add) {}

    void list(bool on_device) {
        switch (fact_.kind) {
            case FactKind::kernel_of_task:
                if (!on_device) {
                    by(About::kernel_at_address, fact_.address1);
                    by(About::kernel_at_address, fact_.address2);
                }
                break;
            case FactKind::overflow_report: add_overflow(); break;
            case FactKind::ids_wrapped: add_wrap(); break;
            case FactKind::run_pause: add(About::pause); break;
            case FactKind::model_load_end:
                if (!fact_.model_file.empty()) {  // requested the file
                    by(About::load_end_of_model, fact_.ge_model_id);
                }
                break;
            case FactKind::graph_name: by(About::graph, fact_.graph_id); break;
            case FactKind::model_of_stream: by(About::model_of_stream, fact_.stream_id); break;
            case FactKind::ge_model_stream: add_set_up(); break;
            default: add_model(); break;
        }
    }

private:
    using Number = std::optional<std::uint64_t>;

    void add(About about, std::uint64_t first = 0, std::uint64_t second = 0) { add_(about, first, second); }
    void by(About about, const Number& number) {
        if (number) {
            add(about, *number);
        }
    }

    void add_overflow() {
        for (const Number& number : {fact_.task_id, fact_.task_sn}) {
            if (fact_.stream_id && number) {
                add(About::overflow, *fact_.stream_id, *number & kLowHalfOfTask);
            }
        }
    }

    void add_wrap() {
        if (fact_.stream_id) {
            add(About::wrap_of_ids, *fact_.stream_id);
            if (fact_.device_id) {
                add(About::wrap_of_ids_on_device, *fact_.stream_id, *fact_.device_id);
            } else {
                add(About::wrap_of_ids_on_any_device, *fact_.stream_id);
            }
        }
    }

    void add_set_up() {
        by(About::set_up, fact_.stream_id);
        if (fact_.model_id) {
            by(About::set_up_for_runtime_model, fact_.stream_id);
        }
        if (fact_.ge_model_id) {
            by(About::set_up_for_ge_model, fact_.stream_id);
        }
    }

    void add_model() {
        const FactKind kind = fact_.kind;
        if (kind == FactKind::runtime_model) {
            by(About::runtime_model, fact_.model_id);
        } else if (kind == FactKind::ge_model && fact_.graph_id) {
            by(About::ge_model_with_graph, fact_.ge_model_id);
        }
        if (kind == FactKind::ge_model && !fact_.model_name.empty()) {
            by(About::ge_model_with_name, fact_.ge_model_id);
        } else if (kind == FactKind::model_execute && fact_.model_id && fact_.ge_model_id) {
            by(About::execution_of_ge_model, fact_.ge_model_id);
            by(About::execution_of_runtime_model, fact_.model_id);
        } else if (kind == FactKind::model_end) {
            by(About::end_of_runtime_model, fact_.model_id);
            by(About::end_of_ge_model, fact_.ge_model_id);
        }
    }

    const Fact& fact_;
    const Add& add_;
};

/// Whether processes are looked up by such facts.
bool is_asked_of_all(About about) noexcept {
    return about == About::kernel_at_address || about == About::overflow;
}

}  // namespace

MapIndex::MapIndex(const TaskMap::Contents& map)
    : map_(map),
      has_run_logs_(any_file_in(map, "run")),
      has_debug_logs_(any_file_in(map, "debug")),
      may_miss_run_logs_(any_unread_outside_of(map, "debug")),
      may_miss_debug_logs_(any_unread_outside_of(map, "run")) {
    Entries facts;
    Entries processes;
    for (const Process& process : map.processes) {
        add_process(process, facts, processes);
    }
    std::sort(roots_.begin(), roots_.end());
    roots_.erase(std::unique(roots_.begin(), roots_.end()), roots_.end());
    facts_ = FactPlaces<Key>(std::move(facts));
    std::sort(processes.begin(), processes.end());
    processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
    processes_ = FactPlaces<Key>(std::move(processes));
    sort_hosts_by_begin();
    std::set<std::string_view> groups;  // the largest ones
    for (const Process& process : map.processes) {
        if (process.rank_count > job_ranks_) {
            job_ranks_ = process.rank_count;
            groups.clear();
        }
        if (process.rank_count == job_ranks_ && job_ranks_ != 0) {
            groups.insert(process.rank_group);
        }
    }
    job_ranks_ = groups.size() == 1 ? job_ranks_ : 0;
}

void MapIndex::sort_hosts_by_begin() {
    for (const Process* process : host_processes_) {
        if (process->last_time_us != 0) {
            hosts_by_begin_.emplace_back(process->first_time_us, process);
        }
    }
    std::sort(hosts_by_begin_.begin(), hosts_by_begin_.end());
    for (std::size_t i = 1; i < hosts_by_begin_.size(); ++i) {
        const Process*& last = hosts_by_begin_[i].second;
        const Process* before = hosts_by_begin_[i - 1].second;
        last = last->last_time_us < before->last_time_us ? before : last;
    }
}

const Process* MapIndex::last_of_those_begun(std::int64_t time_us) const {
    const auto later = std::upper_bound(hosts_by_begin_.begin(), hosts_by_begin_.end(), time_us,
                                        [](std::int64_t time, const auto& begun) { return time < begun.first; });
    return later == hosts_by_begin_.begin() ? nullptr : (later - 1)->second;
}

std::uint32_t MapIndex::number_of(const Process& process) const {
    return static_cast<std::uint32_t>(&process - map_.processes.data());
}

void MapIndex::add_process(const Process& process, Entries& facts, Entries& processes) {
    const std::uint32_t number = number_of(process);
    if (is_host(process)) {
        host_processes_.push_back(&process);
    }
    if (first_with_statements_ == nullptr && !process.on_device && process.last_time_us != 0 &&
        process.states_anything) {
        first_with_statements_ = &process;
    }
    roots_.push_back(process.root);
    binds_models_.push_back(false);
    std::set<std::uint64_t> devices, own_devices;
    for (std::uint32_t place = 0; place < process.facts.size(); ++place) {
        const Fact& fact = process.facts[place].fact;
        if (fact.device_id && *fact.device_id != kOfflineDevice) {
            devices.insert(*fact.device_id);
            if (!fact.stream_id && fact.kind != FactKind::visible_device) {
                own_devices.insert(*fact.device_id);
            }
        }
        binds_models_[number] = binds_models_[number] || fact.kind == FactKind::model_bind;
        add_fact(number, place, facts, processes);
    }
    if (is_host(process)) {
        for (const std::uint64_t device : devices) {
            devices_of_roots_.emplace(process.root, device);
        }
    }
    devices_.emplace_back(devices.begin(), devices.end());
    own_devices_.emplace_back(own_devices.begin(), own_devices.end());
    for (std::size_t i = 0; i < process.of_task.size(); ++i) {
        const TaskKey& task = process.of_task.key(i);
        processes.push_back({{0, About::task, task.first, task.second}, number});
        if (i == 0 || process.of_task.key(i - 1).first != task.first) {
            processes.push_back({{0, About::stream, task.first, 0}, number});
        }
    }
    for (std::size_t i = 0; i < process.of_stream.size(); ++i) {
        processes.push_back({{0, About::stream, process.of_stream.key(i), 0}, number});
    }
}

void MapIndex::add_fact(std::uint32_t process, std::uint32_t place, Entries& facts, Entries& processes) {
    const Process& its = map_.processes[process];
    const auto add = [&](About about, std::uint64_t first, std::uint64_t second) {
        facts.push_back({{process, about, first, second}, place});
        if (is_asked_of_all(about)) {
            processes.push_back({{0, about, first, second}, process});
        }
    };
    KeysOfFact(its.facts[place].fact, add).list(its.on_device);
}

std::shared_ptr<const StreamHistory> MapIndex::history(const Process& process, std::uint64_t stream_id,
                                                       DeviceFilter device) const {
    const std::lock_guard lock(mutex_);
    const std::tuple key(number_of(process), stream_id, device);
    auto known = histories_.find(key);
    if (known == histories_.end()) {
        if (histories_.size() >= kMostHistories) {
            histories_.clear();  // whoever reads one keeps it
        }
        auto history = std::make_shared<const StreamHistory>(history_of_stream(process, stream_id, device));
        known = histories_.emplace(key, std::move(history)).first;
    }
    return known->second;
}

Places MapIndex::facts(const Process& process, About about, std::uint64_t first, std::uint64_t second) const {
    return facts_.of({number_of(process), about, first, second});
}

Places MapIndex::processes(About about, std::uint64_t first, std::uint64_t second) const {
    return processes_.of({0, about, first, second});
}

const StoredFact* nearest_fact(const Process& process, Places places, std::int64_t time_us,
                               const std::function<bool(const StoredFact&)>& condition) {
    const auto first_from = [&process, &places](std::int64_t time) {
        return std::lower_bound(places.begin(), places.end(), time, [&process](std::uint32_t place, std::int64_t t) {
            return process.facts[place].time_us < t;
        });
    };
    const auto holds = [&process, &condition](std::uint32_t place) { return condition(process.facts[place]); };
    const auto middle = first_from(time_us);
    const StoredFact* earlier = nullptr;
    for (auto place = middle; place != places.begin() && earlier == nullptr;) {
        --place;
        if (holds(*place)) {
            earlier = &process.facts[*std::find_if(first_from(process.facts[*place].time_us), place, holds)];
        }
    }
    for (auto place = middle; place != places.end(); ++place) {
        const StoredFact& later = process.facts[*place];
        if (earlier != nullptr && distance_us(later.time_us, time_us) >= distance_us(earlier->time_us, time_us)) {
            return earlier;
        }
        if (condition(later)) {
            return &later;
        }
    }
    return earlier;
}

}  // namespace opdebug::logs

const opdebug::logs::MapIndex& opdebug::TaskMap::Contents::index() const {
    std::call_once(*is_indexed_, [this] { index_ = std::make_shared<const logs::MapIndex>(*this); });
    return *index_;
}
