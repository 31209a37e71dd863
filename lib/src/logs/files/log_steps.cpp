#include "logs/files/log_steps.hpp"

#include "logs/files/byte_source.hpp"

namespace opdebug::logs {

LogStep LogSteps::begin(const std::string& path) {
    LogStep step{&path, true, {}};
    Result<ByteSource> source = ByteSource::open(path);
    if (!source) {
        step.read.failure = std::move(source.error());
    } else {
        // source->start() holds the first bytes: here is the place to recognise files that are no logs.
        open_.emplace(std::move(*source), read_size_, line_bytes_);
    }
    return step;
}

LogStep LogSteps::read_on(const std::string& path, std::string buffer) {
    LogStep step{&path, false, open_->read(std::move(buffer))};
    if (step.read.failure || step.read.bytes == 0) {
        open_.reset();
    }
    return step;
}

std::optional<LogStep> LogSteps::next(std::string buffer) {
    if (open_) {
        return read_on(paths_[begun_ - 1], std::move(buffer));
    }
    return begun_ == paths_.size() ? std::nullopt : std::optional(begin(paths_[begun_++]));
}

void LogSteps::leave(const std::string& path) {
    if (begun_ != 0 && &paths_[begun_ - 1] == &path) {
        open_.reset();
    }
}

}  // namespace opdebug::logs
