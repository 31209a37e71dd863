#include "logs/collecting/ordered_matching.hpp"

#include <utility>

namespace opdebug::logs {

void OrderedMatching::begin_file(const std::string& path) {
    if (is_begun_) {
        return;
    }
    end_file();
    builder_.begin_file(path);
    if (recorder_ != nullptr) {
        recorder_->begin_file(path);
    }
    ++result_.files;
    is_begun_ = true;
    file_ = path;
    has_log_lines_ = false;
    lines_of_file_ = 0;
}

void OrderedMatching::end_file() {
    if (!has_log_lines_ && lines_of_file_ != 0) {
        without_log_lines_.push_back(file_);
    }
    has_log_lines_ = true;
}

bool OrderedMatching::take(MatchedStep& matched) {
    LogStep& step = matched.step;
    if (!step.begins && has_failed_) {
        return true;  // was read before the failure was known
    }
    if (watch_.must_stop()) {
        if (!step.begins) {
            begin_file(*step.path);  // it could be opened
        }
        return false;
    }
    if (step.begins) {
        is_begun_ = false;
        has_failed_ = false;
    } else {
        add(step, matched.lines);
    }
    if (step.read.failure) {
        has_failed_ = true;
        builder_.mark_damaged(*step.path);
        result_.failures.push_back(*std::move(step.read.failure));
    }
    return true;
}

void OrderedMatching::add(const LogStep& step, MatchedLines& lines) {
    const bool is_end = step.read.bytes == 0 && !step.read.failure;
    if (step.read.part.size != 0 || is_end) {
        begin_file(*step.path);
    }
    if (step.read.bytes != 0 || is_end) {
        watch_.add(step.read.bytes);
    }
    if (step.read.part.size == 0) {
        return;
    }
    lines.lines_before = lines_of_file_;
    for (auto& [number, diagnostic] : lines.diagnostics) {
        number += lines_of_file_;
    }
    lines.first_long_line += lines_of_file_;
    has_log_lines_ = has_log_lines_ || !lines.writers.empty();
    result_.lines += lines.count;
    lines_of_file_ += lines.count;
    builder_.add(lines);
    if (recorder_ != nullptr) {
        recorder_->add(step.read.part.text(), lines);
    }
}

}  // namespace opdebug::logs
