#include "logs/formats/wanted.hpp"

#include <utility>

#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
namespace {

/// Lines on devices, folders, models, graphs and captures, on whatever stream: few lines, or lines of which
/// RepeatedFacts keeps few.
bool is_about_models(FactKind kind) noexcept {
    switch (kind) {
        case FactKind::ge_model:
        case FactKind::runtime_model:
        case FactKind::model_load_begin:
        case FactKind::model_load_end:
        case FactKind::graph_name:
        case FactKind::model_execute:
        case FactKind::model_end:
        case FactKind::capture_stream:
        case FactKind::capture_end:
        case FactKind::visible_device:
        case FactKind::process_rank:
        case FactKind::dump_folder: return true;
        default: return false;
    }
}

/// Whether the line states something of this task, with the numbers that this takes, and nothing that lines on others
/// are read by.
bool is_about_one_task(const Fact& fact) noexcept {
    if (!fact.stream_id || !fact.task_id) {
        return false;
    }
    switch (fact.kind) {
        case FactKind::model_of_task: return fact.model_id.has_value();
        case FactKind::submit: return !submits_a_kernel(fact);  // it has the ids of a launch
        default: return is_of_one_task(fact.kind);
    }
}

template <class Value>
void sort_each_once(std::vector<Value>& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    values.shrink_to_fit();
}

}  // namespace

Wanted::Wanted(const WantedTasks& wanted) {
    Request request{wanted.tasks, {}, wanted.addresses, std::vector<bool>(kMarks)};
    for (const TaskKey& task : wanted.tasks) {
        request.streams.push_back(task.first);
        request.has_mark[mark_of(task)] = true;
    }
    sort_each_once(request.tasks);
    sort_each_once(request.streams);
    sort_each_once(request.addresses);
    request_ = std::make_shared<const Request>(std::move(request));
}

Need Wanted::need(const Fact& fact) const {
    if (request_ == nullptr || is_about_models(fact.kind) ||
        !fact.stream_id) {  // without stream: of a process at large
        return Need::own;
    }
    // The line that names a stream's model has the end-of-graph task as well; it is looked up by the stream.
    const bool is_of_stream = !fact.task_id || fact.kind == FactKind::model_of_stream;
    if (is_of_stream && wants_stream(fact)) {
        return Need::own;
    }
    if (fact.task_id && wants_task({*fact.stream_id, *fact.task_id})) {
        return Need::own;
    }
    if (fact.kind == FactKind::model_bind) {
        return Need::model_name;
    }
    if (is_kernel_launch(fact) && needs_address(fact)) {
        return Need::by_address;
    }
    return Need::none;
}

bool Wanted::is_unwanted(const Fact& fact) const {
    return is_about_one_task(fact) && need(fact) == Need::none;
}

void Wanted::add_capture(const Fact& capture) {
    if (request_ != nullptr && capture.origin_stream_id && wants_stream(capture)) {
        origins_.insert(*capture.origin_stream_id);
    }
}

}  // namespace opdebug::logs
