#include "report/text/numbers_and_times.hpp"

#include <cstdlib>
#include <ctime>

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace opdebug::report {
namespace {

constexpr std::uint64_t kLatest = 253402300799ULL * 1'000'000;  // 9999-12-31, what calendars can show

}  // namespace

std::string show_utc(std::uint64_t timestamp_us) {
    if (timestamp_us > kLatest) {
        return fmt::format("{} us", timestamp_us);
    }
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:06}", fmt::gmtime(static_cast<std::time_t>(timestamp_us / 1'000'000)),
                       timestamp_us % 1'000'000);
}

int shown_offset(std::uint64_t timestamp_us, const std::optional<int>& of_run, const ReportOptions& options) {
    return of_run ? *of_run : options.utc_offset_minutes ? options.utc_offset_minutes(timestamp_us) : 0;
}

std::string show_local_time(std::uint64_t timestamp_us, const std::optional<int>& of_run,
                            const ReportOptions& options) {
    if (timestamp_us > kLatest) {
        return show_utc(timestamp_us);
    }
    const int offset_minutes = shown_offset(timestamp_us, of_run, options);
    const auto seconds = static_cast<std::time_t>(timestamp_us / 1'000'000) + std::time_t{60} * offset_minutes;
    const int minutes = std::abs(offset_minutes);
    return fmt::format("{:%Y-%m-%d %H:%M:%S}.{:03} ({}{:02}:{:02})", fmt::gmtime(seconds), timestamp_us / 1'000 % 1'000,
                       offset_minutes < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string show_time(std::uint64_t timestamp_us) {
    return timestamp_us > kLatest ? show_utc(timestamp_us) : show_utc(timestamp_us) + " UTC";
}

}  // namespace opdebug::report
