#include <opdebug/logs.hpp>

#include "logs/formats/formats.hpp"

namespace opdebug {
inline namespace v0 {

void prepare_to_read_logs(const ReadLogsOptions& options) {
    if (options.log_formats.empty()) {
        logs::built_in_log_formats();
    }
}

}  // namespace v0
}  // namespace opdebug
