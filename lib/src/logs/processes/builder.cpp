#include "logs/processes/builder.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

#include "bytes/each_in_parallel.hpp"
#include "bytes/passed_limit.hpp"
#include "logs/files/log_files.hpp"
#include "logs/processes/process_facts.hpp"
#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"

namespace opdebug::logs {
namespace {

/// Adds lines of a log whose name contains the process.
void add_to_own_log(Process& process, const OwnLog& lines) {
    if (process.own_logs.empty() || process.own_logs.back().file != lines.file) {
        process.own_logs.push_back(lines);
        return;
    }
    OwnLog& log = process.own_logs.back();
    log.first_us = std::min(log.first_us, lines.first_us);
    log.last_us = std::max(log.last_us, lines.last_us);
}

}  // namespace

void TaskMapBuilder::begin_file(const std::string& path, const FileOrigin& origin) {
    origin_ = origin;
    contents_.files.push_back(path);
    root_ = root_of(path);
    folder_ = tree::folder_of(path);
    device_ = device_path(path);
    own_pid_ = process_of_log_path(path);
    of_this_root_.clear();
    last_time_us_ = 0;
}

TaskMapBuilder::ProcessKey TaskMapBuilder::key_of(const Writer& writer) const {
    const auto host = origin_.hosts.find(writer);
    return {writer.pid, writer.on_device, writer.on_device ? device_ : DevicePath(),
            host == origin_.hosts.end() ? 0 : host->second, root_};
}

ProcessCollector* TaskMapBuilder::collector(const Writer& writer) {
    const auto of_root = of_this_root_.find(writer);
    if (of_root != of_this_root_.end()) {
        return of_root->second;
    }
    const ProcessKey key = key_of(writer);
    auto known = processes_.find(key);
    if (known == processes_.end()) {
        if (processes_.size() >= limits_.processes) {
            first_process_left_out_ =
                first_process_left_out_.empty() ? contents_.files.back() : first_process_left_out_;
            return nullptr;
        }
        const auto number = static_cast<std::uint32_t>(processes_.size());
        known = processes_.try_emplace(key, wanted_, lines_of_tasks_, number).first;
        Process& process = known->second.process;
        process.device_id = key.device.device_id;
        process.host_pid = key.device.host_pid;
        process.pid = writer.pid;
        process.on_device = writer.on_device;
        process.root = root_;
    }
    return of_this_root_.emplace(writer, &known->second).first->second;
}

void TaskMapBuilder::remark(std::uint64_t line, const Diagnostic& diagnostic) {
    const bool is_known = std::any_of(diagnostics_.begin(), diagnostics_.end(),
                                      [&diagnostic](const Diagnostic& known) { return known.code == diagnostic.code; });
    if (!is_known) {
        diagnostics_.push_back({diagnostic.severity, diagnostic.code, place_of(line) + ": " + diagnostic.message});
    }
}

std::string TaskMapBuilder::place_of(std::uint64_t line) const {
    return contents_.files.back() + ":" + std::to_string(line);
}

void TaskMapBuilder::count_long_lines(const StatedLines& lines) {
    if (lines.long_lines != 0 && long_lines_ == 0) {
        first_long_line_ = place_of(lines.first_long_line);
    }
    long_lines_ += lines.long_lines;
}

void TaskMapBuilder::tell_passed_limits() {
    if (long_lines_ != 0) {
        diagnostics_.push_back(
            remarks::diagnose("line_too_long", {{"line", first_long_line_},
                                                {"limit", limits_.line_bytes},
                                                {"count", long_lines_},
                                                {"hint", remarks::passed_limit(limits_, &Limits::line_bytes)}}));
    }
    if (!first_process_left_out_.empty()) {
        diagnostics_.push_back(
            remarks::diagnose("too_many_processes", {{"line", first_process_left_out_},
                                                     {"limit", limits_.processes},
                                                     {"hint", remarks::passed_limit(limits_, &Limits::processes)}}));
    }
}

void TaskMapBuilder::add_line(StatedLine&& line, std::uint64_t lines_before) {
    ProcessCollector* const process = collector(line.writer);
    if (process == nullptr) {
        return;
    }
    StoredFact stored;
    stored.fact = std::move(line.match.fact);
    stored.tid = line.tid;
    stored.time_us = line.time_us.value_or(last_time_us_);
    stored.place.file = file_number();
    stored.place.line = lines_before + line.number;
    if (lines_of_tasks_ == nullptr) {  // the map has the lines
        stored.fact.format_id = line.match.format->id;
        stored.place.text = line.text;
    }
    stored.from_saved_map = origin_.is_saved_map;
    process->add(*line.match.format, std::move(stored));
}

void TaskMapBuilder::add(StatedLines lines) {
    for (const auto& [line, diagnostic] : lines.diagnostics) {
        remark(line, diagnostic);
    }
    count_long_lines(lines);
    for (const auto& [writer, shown] : lines.writers) {
        ProcessCollector* const process = collector(writer);
        if (process == nullptr) {
            continue;
        }
        process->add_lines(shown, file_number(), folder_);
        if (shown.first_time_us && is_own_log_of(writer)) {
            add_to_own_log(process->process, {file_number(), *shown.first_time_us, *shown.last_time_us});
        }
        contents_.runtime_info_lines += shown.runtime_info;
        contents_.ge_info_lines += shown.ge_info;
    }
    for (StatedLine& line : lines.lines) {
        add_line(std::move(line), lines.lines_before);
    }
    last_time_us_ = lines.last_time_us.value_or(last_time_us_);
}

TaskMapBuilder::Statements TaskMapBuilder::statements_of(const std::string& path, const Writer& writer,
                                                         std::uint32_t host) {
    begin_file(path, {{{writer, host}}, false});
    contents_.files.pop_back();
    const auto process = processes_.find(key_of(writer));
    return process == processes_.end()
               ? Statements()
               : Statements{process->second.process.states_anything, process->second.states_tasks};
}

void TaskMapBuilder::unite_roots() {
    united_.resize(processes_.size());
    std::iota(united_.begin(), united_.end(), 0U);
    for (auto first = processes_.begin(); first != processes_.end();) {
        const auto end = std::find_if(first, processes_.end(), [&first](const auto& item) {
            return item.first.one_system() != first->first.one_system();
        });
        const auto stating = std::count_if(first, end, [](const auto& item) { return item.second.states_tasks; });
        if (stating <= 1) {
            for (auto further = std::next(first); further != end;) {
                united_[further->second.number()] = first->second.number();
                append(first->second.process, std::move(further->second.process));
                further = processes_.erase(further);
            }
        }
        first = end;
    }
}

std::vector<ProcessCollector*> TaskMapBuilder::all_collectors() {
    std::vector<ProcessCollector*> all;
    all.reserve(processes_.size());
    for (auto& [key, collector] : processes_) {
        all.push_back(&collector);
    }
    return all;
}

void TaskMapBuilder::finish_processes() {
    const std::vector<ProcessCollector*> collectors = all_collectors();
    const unsigned threads = lines_of_tasks_ != nullptr ? 1 : threads_;  // which take the lines
    bytes::each_in_parallel(collectors.size(), threads,
                            [&collectors](std::size_t index) { collectors[index]->finish(); });
}

TaskMap::Contents TaskMapBuilder::finish_contents() {
    tell_passed_limits();
    unite_roots();
    const std::vector<ProcessCollector*> collectors = all_collectors();
    bytes::each_in_parallel(collectors.size(), threads_,
                            [&collectors](std::size_t index) { index_facts(collectors[index]->process); });
    for (ProcessCollector* const collector : collectors) {
        contents_.processes.push_back(std::move(collector->process));
    }
    of_this_root_.clear();
    processes_.clear();
    return std::move(contents_);
}

}  // namespace opdebug::logs
