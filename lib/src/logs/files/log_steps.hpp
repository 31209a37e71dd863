// Files of logs, read one after the other in steps: a file is opened, or some of it is read.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/logs.hpp>
#include <opdebug/result.hpp>

#include "logs/files/log_parts.hpp"

namespace opdebug::logs {

struct LogStep {
    const std::string* path = nullptr;
    bool begins = false;  ///< the file is opened; else it is read on
    LogRead read;         ///< a failure ends the file, also that of opening it
};

/// For one thread at a time. `paths` must outlive this.
class LogSteps {
public:
    LogSteps(const std::vector<std::string>& paths, std::size_t read_size, const Limits& limits)
        : paths_(paths), read_size_(read_size), line_bytes_(limits.line_bytes) {}

    /// The next step, in the memory of `buffer`; nothing behind the last.
    std::optional<LogStep> next(std::string buffer);

    /// No more of this file is read, where it is still the one that is.
    void leave(const std::string& path);

private:
    LogStep begin(const std::string& path);
    LogStep read_on(const std::string& path, std::string buffer);

    const std::vector<std::string>& paths_;
    std::size_t read_size_;
    std::uint64_t line_bytes_;
    std::size_t begun_ = 0;         ///< as many files
    std::optional<LogParts> open_;  ///< the last of them, until it ends
};

}  // namespace opdebug::logs
