// The lines of one process → its facts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "logs/facts/task_map.hpp"
#include "logs/formats/format_file.hpp"
#include "logs/formats/wanted.hpp"
#include "logs/processes/launches.hpp"
#include "logs/processes/lines_of_tasks.hpp"
#include "logs/processes/repeated_facts.hpp"
#include "logs/processes/run_begins.hpp"
#include "logs/reading/part_reader.hpp"

namespace opdebug::logs {

/// The memories of the threads of one process: for each thread one line under each name, so the size does not grow
/// with the log.
class ThreadMemory {
public:
    /// Adds to the fact of a line what it lacks and its thread remembers under the names in `completed_by`. A
    /// remembered line is skipped when a member of both differs, or when it has nothing to add; another code of the
    /// failure is an addition. It is also skipped when it is later than this line: a file that was read before may
    /// cover a later time.
    void complete(const FormatDefinition& format, StoredFact& stored);

    /// Remembers or forgets as the format defines; `stored` as the line states it, before anything was added.
    void learn(const FormatDefinition& format, const StoredFact& stored);

private:
    struct Entry {
        std::string name;
        StoredFact line;
        bool once = false;
    };
    std::map<std::int64_t, std::vector<Entry>> of_thread_;
};

/// Takes the statements of one process in the order of its files and keeps what is needed of them. What it holds does
/// not grow with the number of tasks when certain tasks are wanted: see RepeatedFacts, Launches and ThreadMemory.
class ProcessCollector {
public:
    /// `lines`: receives where facts are stated, and the facts are not kept; null: they are. `number`: of the process.
    ProcessCollector(const Wanted& wanted, LinesOfTasks* lines, std::uint32_t number)
        : wanted_(wanted), lines_of_tasks_(lines), number_(number) {}

    void add_lines(const WriterLines& lines, std::uint32_t file, const std::string& folder);
    void add(const FormatDefinition& format, StoredFact&& stored);

    /// Decides the launches that are left. After it only the members below are used.
    void finish();
    std::uint32_t number() const noexcept { return number_; }

    Process process;
    bool states_tasks = false;  ///< names operators or kernels, be they needed or not

private:
    bool shows_host_lines_ = false;
    void state(StoredFact&& stored);
    void keep(const StoredFact& stored);
    void note(FactKind kind);
    void add_device(const StoredFact& set_up);

    Wanted wanted_;  ///< a copy: captures add streams
    LinesOfTasks* lines_of_tasks_;
    std::uint32_t number_;
    ThreadMemory memory_;
    Captures captures_;
    Launches launches_;
    RepeatedFacts repeated_;
    RunBegins runs_;
    using DeviceInFile = std::tuple<DeviceFilter, DeviceFilter, std::uint32_t>;
    // Passed on already. The threads may be too many to be distinguished, the devices are hardly ever.
    std::set<DeviceInFile> devices_;  ///< the driver's number, the process's own, and with this one the file
    std::set<std::tuple<std::int64_t, DeviceInFile>> threads_;  ///< with the file in any case
};

}  // namespace opdebug::logs
