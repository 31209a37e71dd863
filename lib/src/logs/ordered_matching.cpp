#include "logs/ordered_matching.hpp"

#include <chrono>
#include <utility>

namespace opdebug::logs {

void OrderedMatching::begin_file(const std::string& path) {
    waiting_.push_back({path, {}});
}

void OrderedMatching::add(LogPart part) {
    StatingLines memory;
    if (!spare_lines_.empty()) {
        memory = std::move(spare_lines_.back());
        spare_lines_.pop_back();
    }
    waiting_.push_back({std::nullopt, matching_.match(std::move(part), std::move(memory))});
    // One for each thread, and one that waits for the first that is done.
    while (waiting_.size() > (threads_ > 1 ? threads_ + 1 : 0)) {
        take_first();
    }
}

void OrderedMatching::finish() {
    while (!waiting_.empty()) {
        take_first();
    }
    end_file();
}

void OrderedMatching::end_file() {
    if (!has_log_lines_ && lines_of_file_ != 0) {
        without_log_lines_.push_back(file_);
    }
    has_log_lines_ = true;
}

std::string OrderedMatching::spare_buffer() {
    if (spare_buffers_.empty()) {
        return {};
    }
    std::string buffer = std::move(spare_buffers_.back());
    spare_buffers_.pop_back();
    return buffer;
}

MatchedPart OrderedMatching::wait_for(std::future<MatchedPart> part) {
    constexpr std::chrono::seconds kNoTime{0};
    while (part.wait_for(kNoTime) != std::future_status::ready && matching_.match_one_here()) {
    }
    return part.get();
}

void OrderedMatching::take_first() {
    Item first = std::move(waiting_.front());
    waiting_.pop_front();
    if (first.file) {
        end_file();
        builder_.begin_file(*first.file);
        file_ = *std::move(first.file);
        has_log_lines_ = false;
        lines_of_file_ = 0;
        return;
    }
    MatchedPart matched = wait_for(std::move(first.part));
    for (MatchedLine& line : matched.lines.lines) {
        line.number += lines_of_file_;
    }
    for (UnaskedLine& line : matched.lines.unasked) {
        line.number += lines_of_file_;
    }
    for (auto& [number, diagnostic] : matched.lines.diagnostics) {
        number += lines_of_file_;
    }
    matched.lines.first_long_line += lines_of_file_;
    has_log_lines_ = has_log_lines_ || !matched.lines.writers.empty();
    lines_ += matched.lines.count;
    lines_of_file_ += matched.lines.count;
    builder_.add(std::move(matched.lines));
    // The memory of the list is used again: for a part of launch lines it takes as long to get as to fill.
    // NOLINTNEXTLINE(bugprone-use-after-move): empty at worst
    spare_lines_.push_back(std::move(static_cast<StatingLines&>(matched.lines)));
    spare_buffers_.push_back(std::move(matched.buffer));
}

}  // namespace opdebug::logs
