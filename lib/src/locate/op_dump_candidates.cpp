#include "locate/op_dump_candidates.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "bytes/file.hpp"
#include "container/container.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"

namespace opdebug::locate_stage {
namespace {

/// Names of 2020 carry no stream: then only the task can be compared, which is too little for ids that are a hint. A
/// record without a stream takes names that say the same.
bool stream_fits(const DumpName& name, const TaskQuery& query) {
    if (query.is_hint) {
        return name.stream_id == query.stream_id;
    }
    if (!query.stream_id) {
        return name.stream_id && tree::is_no_id(*name.stream_id);
    }
    return !name.stream_id || tree::is_no_id(*name.stream_id) || name.stream_id == query.stream_id;
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
    auto operation() const {
        return std::tie(name.op_type, name.op_name, name.task_id, name.stream_id, name.dump_number, name.context_id,
                        name.thread_id, name.device_id);
    }
    auto order() const { return std::tuple(operation(), name.timestamp_us, slot()); }
};

/// Puts the tensors of one execution together. MindSpore gives each tensor the time of its own writing: an execution
/// ends where a tensor is written again, or an input follows an output.
class Executions {
public:
    Executions(const TaskQuery& query, std::vector<Candidate>& candidates) : query_(query), candidates_(candidates) {}

    void add(const TensorFile& tensor) {
        if (!belongs_to_last(tensor)) {
            candidates_.push_back({tensor.file, {}, tensor.name, false, kUnknownDistance});
            candidates_.back().context_fits = tensor.name.context_id.has_value() == query_.context_id.has_value();
            slots_.clear();
            has_output_ = false;
        }
        Candidate& execution = candidates_.back();
        const std::uint64_t distance_us = distance_of(tensor.name.timestamp_us, query_.timestamp_us);
        if (distance_us < execution.distance_us) {
            execution.distance_us = distance_us;
            execution.name.timestamp_us = tensor.name.timestamp_us;
        }
        execution.tensors.push_back(tensor.file);
        slots_.insert(tensor.slot());
        has_output_ = has_output_ || is_output(tensor);
        last_ = &tensor;
    }

private:
    static bool is_output(const TensorFile& tensor) { return tensor.slot().starts_with(".output"); }

    bool belongs_to_last(const TensorFile& tensor) const {
        const bool begins_anew = !is_output(tensor) && has_output_;
        return last_ != nullptr && last_->operation() == tensor.operation() && !begins_anew &&
               slots_.count(tensor.slot()) == 0;
    }

    const TaskQuery& query_;
    std::vector<Candidate>& candidates_;
    const TensorFile* last_ = nullptr;
    std::set<std::string_view> slots_;
    bool has_output_ = false;
};

void add_executions(std::vector<TensorFile>& tensors, const TaskQuery& query, std::vector<Candidate>& candidates) {
    const auto is_converted = [&candidates](const TensorFile& tensor) {
        return std::any_of(candidates.begin(), candidates.end(), [&tensor](const Candidate& candidate) {
            return candidate.file->kind == OpFileKind::dump && candidate.file->dump_name == tensor.file->dump_name;
        });
    };
    tensors.erase(std::remove_if(tensors.begin(), tensors.end(), is_converted), tensors.end());
    std::sort(tensors.begin(), tensors.end(),
              [](const TensorFile& a, const TensorFile& b) { return a.order() < b.order(); });
    Executions executions(query, candidates);
    for (const TensorFile& tensor : tensors) {
        executions.add(tensor);
    }
}

template <class TaskFits>
std::vector<Candidate> fitting(const OpDumpFolder& folder, const TaskQuery& query, const TaskFits& task_fits) {
    std::vector<Candidate> candidates;
    std::vector<TensorFile> tensors;
    const auto [first, last] = folder.of_task(*query.task_id);
    for (auto file = first; file != last; ++file) {
        if (!task_fits(file->task_id)) {
            continue;
        }
        std::optional<DumpName> name = parse_dump_name(file->dump_name);
        if (!name || !stream_fits(*name, query) || contexts_contradict(*name, query)) {
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
            candidates.push_back({&*file, {}, *std::move(name), context_fits, distance_us});
        }
    }
    add_executions(tensors, query, candidates);
    return candidates;
}

/// Task ids wrap at 16 bits: names or records may carry the lower half where the other holds the wraps as well.
std::vector<Candidate> fitting_files(const OpDumpFolder& folder, const TaskQuery& query, TaskIds ids) {
    std::vector<Candidate> candidates;
    if (ids == TaskIds::whole_first) {
        candidates = fitting(folder, query, [&query](std::uint64_t task_id) { return task_id == *query.task_id; });
    }
    return candidates.empty() ? fitting(folder, query, [](std::uint64_t) { return true; }) : candidates;
}

/// The AICPU scheduler of custom operators writes texts next to the dumps, named as the operator's dump would be, with
/// "Debug" after its name. They contain no tensor, and no node has their name.
bool may_be_scheduler_text(const Candidate& candidate) {
    return candidate.file->kind == OpFileKind::dump && candidate.name.op_name.ends_with("Debug");
}

bool is_scheduler_text(const Candidate& candidate, const std::string& folder, const Limits& limits) {
    const Result<bytes::FileReader> reader = bytes::FileReader::open(tree::join_path(folder, candidate.file->name));
    if (!reader) {
        return false;
    }
    const Result<container::Contents> contents = container::read_container(*reader, limits);
    if (contents) {
        return false;
    }
    const ErrorCode fault = contents.error().code;
    return fault == ErrorCode::not_a_dump || fault == ErrorCode::file_too_short || fault == ErrorCode::empty_file;
}

}  // namespace

/// Files that may be texts are opened from the nearest on until one is none: a job that runs the operator at each step
/// leaves a text of each step next to one dump. A folder may have thousands for each of its records, so `limits` bounds
/// how many are opened.
NearestDumps nearest_dumps(const OpDumpFolder& folder, const std::string& folder_path, const TaskQuery& query,
                           TaskIds ids, const Limits& limits) {
    std::vector<Candidate> candidates = fitting_files(folder, query, ids);
    if (candidates.size() > 1) {  // else it asks for memory all the same
        std::stable_sort(candidates.begin(), candidates.end(), is_nearer);
    }
    NearestDumps nearest;
    std::uint64_t may_open = limits.candidates;
    const auto is_dump = [&](const Candidate& candidate) {
        if (!may_be_scheduler_text(candidate)) {
            return true;
        }
        if (may_open == 0) {
            nearest.leaves_out = true;
            return false;
        }
        --may_open;
        return !is_scheduler_text(candidate, folder_path, limits);
    };
    for (auto first = candidates.begin(); first != candidates.end() && nearest.dumps.empty();) {
        const auto last = std::upper_bound(first, candidates.end(), *first, is_nearer);
        std::copy_if(std::move_iterator(first), std::move_iterator(last), std::back_inserter(nearest.dumps), is_dump);
        first = last;
    }
    return nearest;
}

}  // namespace opdebug::locate_stage
