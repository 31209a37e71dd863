#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "locate/op_dump_folders.hpp"
#include "tree/name.hpp"

namespace opdebug::locate_stage {
namespace {

/// Names of 2020 carry no stream: then only the task can be compared, which is too little for ids that are a hint. A
/// record without a stream matches only names without one.
bool stream_fits(const DumpName& name, const TaskQuery& query) {
    const std::optional<std::uint64_t> of_name = name.stream_id ? unless_none(*name.stream_id) : std::nullopt;
    if (query.is_hint) {
        return name.stream_id == query.stream_id;
    }
    return query.stream_id ? !of_name || of_name == query.stream_id : name.stream_id && !of_name;
}

bool contexts_contradict(const DumpName& name, const TaskQuery& query) {
    return (name.context_id && query.context_id && name.context_id != query.context_id) ||
           (name.thread_id && query.thread_id && name.thread_id != query.thread_id);
}

/// A .npy file of an operator's tensor.
struct TensorFile {
    const OpDumpFile* file;
    DumpName name;

    std::string_view slot() const { return file->real_name.substr(file->dump_name.size()); }
    bool is_output() const { return slot().starts_with(".output"); }
    auto operation() const {
        return std::tie(name.op_type, name.op_name, name.task_id, name.stream_id, name.dump_number, name.context_id,
                        name.thread_id, name.device_id);
    }
    auto order() const { return std::tuple(operation(), name.timestamp_us, slot()); }
};

/// Puts the tensors of one execution together. MindSpore gives each tensor the time of its own writing: an execution
/// ends where a tensor is written again, or an input follows an output.
void add_executions(std::vector<TensorFile>& tensors, const OpDumpFolder& folder, const TaskQuery& query,
                    std::vector<OpExecution>& executions) {
    std::erase_if(tensors, [&executions](const TensorFile& tensor) {  // the dump that it was made of is there
        return std::any_of(executions.begin(), executions.end(), [&tensor](const OpExecution& execution) {
            return execution.file->kind == OpFileKind::dump && execution.file->dump_name == tensor.file->dump_name;
        });
    });
    std::sort(tensors.begin(), tensors.end(),
              [](const TensorFile& a, const TensorFile& b) { return a.order() < b.order(); });
    std::set<std::string_view> slots;
    const TensorFile* last = nullptr;
    for (const TensorFile& tensor : tensors) {
        const bool is_of_last = last != nullptr && last->operation() == tensor.operation() &&
                                !(last->is_output() && !tensor.is_output()) && slots.count(tensor.slot()) == 0;
        if (!is_of_last) {
            const bool context_fits = tensor.name.context_id.has_value() == query.context_id.has_value();
            executions.push_back({&folder, tensor.file, {}, tensor.name, context_fits, kUnknownDistance});
            slots.clear();
        }
        OpExecution& execution = executions.back();
        const std::uint64_t distance_us = distance_of(tensor.name.timestamp_us, query.timestamp_us);
        if (distance_us < execution.distance_us) {
            execution.distance_us = distance_us;
            execution.name.timestamp_us = tensor.name.timestamp_us;
        }
        execution.tensors.push_back(tensor.file);
        slots.insert(tensor.slot());
        last = &tensor;
    }
}

/// The AICPU scheduler of custom operators writes texts next to the dumps, named as the operator's dump would be, with
/// "Debug" after its name. They contain no tensor, and no node has their name.
bool is_scheduler_text(const OpDumpFile& file, const DumpName& name) {
    return file.kind == OpFileKind::dump && name.op_name.ends_with("Debug");
}

/// Task ids wrap at 16 bits: names or records may carry the lower half where the other holds the wraps as well.
std::vector<OpExecution> fitting_files(const OpDumpFolder& folder, const TaskQuery& query, bool is_whole_id) {
    std::vector<OpExecution> executions;
    std::vector<TensorFile> tensors;
    const auto [first, last] = folder.of_task(*query.task_id);
    for (auto file = first; file != last; ++file) {
        std::optional<DumpName> name = file->parse();
        if ((is_whole_id && file->task_id != *query.task_id) || !name || !stream_fits(*name, query) ||
            contexts_contradict(*name, query) || is_scheduler_text(*file, *name)) {
            continue;
        }
        const std::uint64_t distance_us = distance_of(name->timestamp_us, query.timestamp_us);
        if (query.is_hint && distance_us > kNearUs) {
            continue;
        }
        if (file->kind == OpFileKind::tensor) {
            tensors.push_back({&*file, *std::move(name)});
        } else {
            const bool context_fits = name->context_id.has_value() == query.context_id.has_value();
            executions.push_back({&folder, &*file, {}, *std::move(name), context_fits, distance_us});
        }
    }
    add_executions(tensors, folder, query, executions);
    return executions.empty() && is_whole_id ? fitting_files(folder, query, false) : executions;
}

}  // namespace

std::uint64_t distance_of(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) noexcept {
    return a && b ? std::max(*a, *b) - std::min(*a, *b) : kUnknownDistance;
}

std::vector<OpExecution> nearest_executions(const OpDumpFolder& folder, const TaskQuery& query, TaskIds ids) {
    std::vector<OpExecution> executions = fitting_files(folder, query, ids == TaskIds::whole_first);
    std::stable_sort(executions.begin(), executions.end(), is_nearer);
    const auto first_with = [&executions](bool is_row) {
        return std::find_if(executions.begin(), executions.end(),
                            [is_row](const OpExecution& execution) { return execution.is_row() == is_row; });
    };
    const auto dump = first_with(false), row = first_with(true);
    const std::optional<OpExecution> nearest_dump = dump == executions.end() ? std::nullopt : std::optional(*dump);
    const std::uint64_t most_us = row == executions.end() ? 0 : std::max(kSameExecutionUs, row->distance_us);
    std::erase_if(executions, [&](const OpExecution& execution) {
        return execution.is_row() ? execution.distance_us > most_us : is_nearer(*nearest_dump, execution);
    });
    return executions;
}

}  // namespace opdebug::locate_stage
