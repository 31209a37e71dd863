// Logs are prepared to be read while the dumps are read for the first time.
#pragma once

#include <future>

#include "command_line/log_options.hpp"

namespace opdebug::tool {

/// prepare_to_read_logs() in a thread of its own, where several are allowed and one more can be had: it takes 3 ms, in
/// which behind the first reading of the dumps all other cores would wait. The end of the future waits for the thread,
/// which uses the settings. To be started behind the search for dumps: a thread that is started before delays it, and
/// an interrupt that comes meanwhile would leave nothing to report.
std::future<void> prepare_logs_beside(const LogSettings& settings);

}  // namespace opdebug::tool
