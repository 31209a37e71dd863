#include "fact_log.hpp"

#include "log_builder.hpp"
#include "logs/processes/builder.hpp"

namespace opdebug::test {

using logs::Fact;
using logs::FactKind;

Fact fact(FactKind kind, int stream, int task) {
    Fact made;
    made.kind = kind;
    made.log = logs::LogKind::runtime_log;
    made.format_id = std::string(to_string(kind));
    if (stream >= 0) {
        made.stream_id = static_cast<std::uint64_t>(stream);
    }
    if (task >= 0) {
        made.task_id = static_cast<std::uint64_t>(task);
    }
    return made;
}

Fact launch(int stream, int task, const std::string& kernel) {
    Fact made = fact(FactKind::kernel_of_task, stream, task);
    made.kernel_name = kernel;
    made.task_id_provisional = true;
    return made;
}

Fact submit(int stream, int task, int task_type) {
    Fact made = fact(FactKind::submit, stream, task);
    made.task_type = static_cast<std::uint64_t>(task_type);
    return made;
}

Fact operator_of(int stream, int task, const std::string& name) {
    Fact made = fact(FactKind::operator_of_task, stream, task);
    made.operator_name = name;
    return made;
}

Fact binding(FactKind kind, int model, int stream) {
    Fact made = fact(kind, stream);
    made.model_id = static_cast<std::uint64_t>(model);
    return made;
}

FactLog& FactLog::at(std::int64_t milliseconds) {
    time_us_ = log_time_us(milliseconds);
    return *this;
}

FactLog& FactLog::thread(std::int64_t tid) {
    tid_ = tid;
    return *this;
}

FactLog& FactLog::state(const Fact& fact, const logs::FormatDefinition& format) {
    logs::FormatDefinition read_by = format;
    read_by.id = fact.format_id;
    formats_.push_back(std::make_shared<const logs::FormatDefinition>(std::move(read_by)));
    const std::uint64_t number = lines_.size() + 1;
    texts_.push_back(std::make_shared<const std::string>(path_ + ":" + std::to_string(number)));
    lines_.push_back({{fact, formats_.back().get()}, {pid_, false}, tid_, time_us_, number, *texts_.back()});
    return *this;
}

std::shared_ptr<const TaskMap> task_map_of(const std::vector<FactLog>& logs, const std::optional<WantedTasks>& wanted) {
    logs::TaskMapBuilder builder(wanted);
    for (const FactLog& log : logs) {
        builder.begin_file(log.path());
        logs::StatedLines matched;
        matched.lines.assign(log.lines().begin(), log.lines().end());
        builder.add(matched);
    }
    return builder.finish();
}

std::string kernels_in(const TaskMap& map) {
    std::string text;
    for (const logs::Process& process : map.contents().processes) {
        for (const logs::StoredFact& stored : process.facts) {
            const Fact& said = stored.fact;
            if (said.kind == FactKind::kernel_of_task) {
                text += (text.empty() ? "" : ", ") + std::to_string(said.stream_id.value_or(0)) + "/" +
                        std::to_string(said.task_id.value_or(0)) + (said.task_id_unconfirmed ? "?" : "") +
                        (said.task_id_from_sn ? "sn" : "") + " " + said.kernel_name;
            }
        }
    }
    return text;
}

}  // namespace opdebug::test
