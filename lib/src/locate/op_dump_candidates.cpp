#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "bytes/file.hpp"
#include "container/container.hpp"
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

/// Task ids wrap at 16 bits: names or records may carry the lower half where the other holds the wraps as well.
std::vector<OpExecution> fitting_files(const OpDumpFolder& folder, const TaskQuery& query, bool is_whole_id) {
    std::vector<OpExecution> executions;
    std::vector<TensorFile> tensors;
    const auto [first, last] = folder.of_task(*query.task_id);
    for (auto file = first; file != last; ++file) {
        std::optional<DumpName> name = parse_dump_name(file->dump_name);
        if ((is_whole_id && file->task_id != *query.task_id) || !name || !stream_fits(*name, query) ||
            contexts_contradict(*name, query)) {
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

/// The AICPU scheduler of custom operators writes texts next to the dumps, named as the operator's dump would be, with
/// "Debug" after its name. They contain no tensor, and no node has their name.
bool may_be_scheduler_text(const OpExecution& execution) {
    return execution.file->kind == OpFileKind::dump && execution.name.op_name.ends_with("Debug");
}

bool is_scheduler_text(const OpExecution& execution, const Limits& limits) {
    const Result<bytes::FileReader> reader = bytes::FileReader::open(execution.path_of(*execution.file));
    const Result<container::Contents> contents =
        reader ? container::read_container(*reader, limits) : Result<container::Contents>(container::Contents());
    const ErrorCode fault = contents ? ErrorCode::file_not_found : contents.error().code;
    return fault == ErrorCode::not_a_dump || fault == ErrorCode::file_too_short || fault == ErrorCode::empty_file;
}

}  // namespace

std::uint64_t distance_of(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) noexcept {
    return a && b ? std::max(*a, *b) - std::min(*a, *b) : kUnknownDistance;
}

/// Files that may be texts are opened from the nearest on until one is none: a job that runs the operator at each step
/// leaves a text of each step next to one dump. A folder may have thousands for each of its records, so `limits` bounds
/// how many are opened.
std::vector<OpExecution> nearest_executions(const OpDumpFolder& folder, const TaskQuery& query, TaskIds ids,
                                            const Limits& limits, bool& leaves_out) {
    std::vector<OpExecution> executions = fitting_files(folder, query, ids == TaskIds::whole_first);
    std::stable_sort(executions.begin(), executions.end(), is_nearer);
    std::vector<OpExecution> nearest;
    std::uint64_t may_open = limits.candidates;
    const auto is_dump = [&](const OpExecution& execution) {
        if (!may_be_scheduler_text(execution)) {
            return true;
        }
        leaves_out = leaves_out || may_open == 0;
        return may_open != 0 && (--may_open, !is_scheduler_text(execution, limits));
    };
    for (auto first = executions.begin(); first != executions.end() && nearest.empty();) {
        const auto last = std::upper_bound(first, executions.end(), *first, is_nearer);
        std::copy_if(std::move_iterator(first), std::move_iterator(last), std::back_inserter(nearest), is_dump);
        first = last;
    }
    return nearest;
}

std::vector<const ListedOperator*> of_task(const StatisticList& list, const TaskQuery& query, TaskIds ids) {
    std::vector<const ListedOperator*> found;
    if (!query.stream_id || !query.task_id) {
        return found;
    }
    const auto [first, last] = std::equal_range(
        list.begin(), list.end(), ListedOperator{*query.stream_id, *query.task_id, {}, {}, {}}, is_listed_before);
    const bool is_whole_id = ids == TaskIds::whole_first && std::any_of(first, last, [&](const ListedOperator& op) {
                                 return op.task_id == *query.task_id;
                             });
    const auto distance = [&query](const ListedOperator* op) {
        return distance_of(op->timestamp_us, query.timestamp_us);
    };
    for (auto op = first; op != last; ++op) {
        const bool is_task = !is_whole_id || op->task_id == *query.task_id;
        if (is_task && !(query.is_hint && distance(&*op) > kNearUs)) {
            found.push_back(&*op);
        }
    }
    std::stable_sort(found.begin(), found.end(), [&distance](const ListedOperator* a, const ListedOperator* b) {
        return distance(a) < distance(b);
    });
    std::set<std::pair<std::string_view, std::string_view>> names;
    const std::uint64_t most_us = found.empty() ? 0 : std::max(kSameExecutionUs, distance(found.front()));
    std::erase_if(found, [&](const ListedOperator* op) {
        return distance(op) > most_us || !names.emplace(op->name, op->type).second;
    });
    return found;
}

}  // namespace opdebug::locate_stage
