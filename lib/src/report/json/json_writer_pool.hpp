// JSON writers that keep their memory for the next who needs one.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "report/json/json_writer.hpp"

namespace opdebug::report {

/// Of documents in one line. Thread-safe.
class JsonWriterPool {
public:
    /// One that has written nothing.
    std::unique_ptr<JsonWriter> take() {
        const std::lock_guard<std::mutex> lock(mutex_);
        if (free_.empty()) {
            free_.reserve(++made_);  // so that giving back needs no memory
            return std::make_unique<JsonWriter>(JsonWriter::Indent());
        }
        std::unique_ptr<JsonWriter> writer = std::move(free_.back());
        free_.pop_back();
        return writer;
    }

    void give_back(std::unique_ptr<JsonWriter> writer) noexcept {
        constexpr std::size_t kMostKept = std::size_t{256} << 10U;
        const std::lock_guard<std::mutex> lock(mutex_);
        if (writer->text().size() > kMostKept) {
            --made_;
            return;
        }
        writer->clear();
        free_.push_back(std::move(writer));
    }

private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<JsonWriter>> free_;
    std::size_t made_ = 0;
};

}  // namespace opdebug::report
