#include "logs/builder.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "logs/process_facts.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {

void TaskMapBuilder::begin_file(const std::string& path) {
    contents_->files.push_back(path);
    root_ = root_of(path);
    folder_ = tree::folder_of(path);
    device_ = device_path(path);
    of_this_root_.clear();
    last_time_us_ = 0;
}

ProcessCollector& TaskMapBuilder::collector(const Writer& writer) {
    ProcessCollector*& known = of_this_root_[writer];
    if (known == nullptr) {
        const DevicePath device = writer.on_device ? device_ : DevicePath();
        known = &processes_.try_emplace({writer.pid, writer.on_device, device, root_}, wanted_).first->second;
        known->process.device_id = device.device_id;
        known->process.host_pid = device.host_pid;
        known->process.pid = writer.pid;
        known->process.on_device = writer.on_device;
        known->process.root = root_;
    }
    return *known;
}

void TaskMapBuilder::remark(std::uint64_t line, const Diagnostic& diagnostic) {
    const bool is_known = std::any_of(diagnostics_.begin(), diagnostics_.end(),
                                      [&diagnostic](const Diagnostic& known) { return known.code == diagnostic.code; });
    if (!is_known) {
        const std::string place = contents_->files.back() + ":" + std::to_string(line) + ": ";
        diagnostics_.push_back({diagnostic.severity, diagnostic.code, place + diagnostic.message});
    }
}

void TaskMapBuilder::add(MatchedLines&& lines) {
    for (const auto& [line, diagnostic] : lines.diagnostics) {
        remark(line, diagnostic);
    }
    for (const auto& [writer, shown] : lines.writers) {
        collector(writer).add_lines(shown, static_cast<std::uint32_t>(contents_->files.size() - 1), folder_);
        contents_->runtime_info_lines += shown.runtime_info;
        contents_->ge_info_lines += shown.ge_info;
    }
    for (MatchedLine& line : lines.lines) {
        StoredFact stored;
        stored.fact = std::move(line.match.fact);
        stored.tid = line.tid;
        stored.time_us = line.time_us.value_or(last_time_us_);
        stored.place.file = static_cast<std::uint32_t>(contents_->files.size() - 1);
        stored.place.line = line.number;
        stored.place.text = std::move(line.text);
        collector(line.writer).add(*line.match.format, std::move(stored));
    }
    last_time_us_ = lines.last_time_us.value_or(last_time_us_);
}

void TaskMapBuilder::unite_roots() {
    for (auto first = processes_.begin(); first != processes_.end();) {
        const auto end = std::find_if(first, processes_.end(), [&first](const auto& item) {
            return item.first.one_system() != first->first.one_system();
        });
        const auto tell = std::count_if(first, end, [](const auto& item) { return item.second.tells_of_tasks; });
        if (tell <= 1) {
            for (auto further = std::next(first); further != end;) {
                append(first->second.process, std::move(further->second.process));
                further = processes_.erase(further);
            }
        }
        first = end;
    }
}

std::shared_ptr<const TaskMap> TaskMapBuilder::finish() {
    for (auto& [key, collector] : processes_) {
        collector.finish();
    }
    unite_roots();
    for (auto& [key, collector] : processes_) {
        index_facts(collector.process);
        contents_->processes.push_back(std::move(collector.process));
    }
    of_this_root_.clear();
    processes_.clear();
    return std::make_shared<const TaskMap>(std::move(contents_));
}

}  // namespace opdebug::logs
