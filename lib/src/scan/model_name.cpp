// Names of models → the names under which groups count them.
#include <algorithm>
#include <string>

#include <opdebug/scan_overview.hpp>

namespace opdebug {
inline namespace v0 {
namespace {

bool is_digits(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

std::string model_in_groups(std::string_view name) {
    // The form is inferred from folders of dumps: the 14 digits are those of the {time} folder above, local time.
    constexpr std::string_view kPrefix = "ge_default_";
    constexpr std::size_t kTimeDigits = 14;
    const std::size_t behind_time = kPrefix.size() + kTimeDigits;
    const bool has_time = name.substr(0, kPrefix.size()) == kPrefix && name.size() > behind_time + 1 &&
                          is_digits(name.substr(kPrefix.size(), kTimeDigits)) && name[behind_time] == '_' &&
                          is_digits(name.substr(behind_time + 1));
    return has_time ? std::string(kPrefix) + "*" + std::string(name.substr(behind_time)) : std::string(name);
}

}  // namespace v0
}  // namespace opdebug
