// One line on the terminal that tells how far long work is; nothing where stderr is no terminal.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <opdebug/scan.hpp>

namespace opdebug::tool {

class ProgressLine {
public:
    /// `quiet`: never show anything.
    explicit ProgressLine(bool quiet);
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(const ScanProgress& progress);
    void show_logs(std::uint64_t bytes);
    /// Takes the line away.
    void clear();

private:
    bool is_due();
    void write(const std::string& text);

    bool shown_ = false;
    bool enabled_ = false;
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point last_{};
};

}  // namespace opdebug::tool
