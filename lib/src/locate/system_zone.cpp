// The zone of the machine that this runs on.
#include <ctime>

#include <opdebug/locate.hpp>

namespace opdebug {
inline namespace v0 {

int system_utc_offset_minutes(std::optional<std::uint64_t> timestamp_us) {
    const auto seconds = static_cast<std::time_t>(timestamp_us.value_or(0) / 1'000'000);
    std::tm local{};
    return ::localtime_r(&seconds, &local) == nullptr ? 0 : static_cast<int>(local.tm_gmtoff / 60);
}

}  // namespace v0
}  // namespace opdebug
