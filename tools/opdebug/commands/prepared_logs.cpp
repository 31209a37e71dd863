#include "commands/prepared_logs.hpp"

#include <system_error>

#include <opdebug/prepare_logs.hpp>

namespace opdebug::tool {

std::future<void> prepare_logs_beside(const LogSettings& settings) {
    if (settings.paths.empty() || settings.reading.threads == 1) {
        return {};
    }
    try {
        return std::async(std::launch::async, [&settings] { prepare_to_read_logs(settings.paths, settings.reading); });
    } catch (const std::system_error&) {  // no thread can be had: reading the logs begins with it
        return {};
    }
}

}  // namespace opdebug::tool
