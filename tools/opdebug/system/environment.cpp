#include "system/environment.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <string_view>

namespace opdebug::tool {

Language language_of_environment() {
    for (const char* variable : {"LC_ALL", "LC_MESSAGES", "LANG"}) {
        const char* value = std::getenv(variable);
        if (value != nullptr && *value != '\0') {
            return std::string_view(value).substr(0, 2) == "zh" ? Language::chinese : Language::english;
        }
    }
    return Language::english;
}

std::string temporary_folder() {
    const char* folder = std::getenv("TMPDIR");
    return folder != nullptr && *folder != '\0' ? folder : "/tmp";
}

bool terminals_know_sequences() {
    const char* terminal = std::getenv("TERM");
    return terminal == nullptr || std::string_view(terminal) != "dumb";
}

bool colors_are_wanted() {
    const char* no_color = std::getenv("NO_COLOR");
    return (no_color == nullptr || *no_color == '\0') && terminals_know_sequences();
}

std::size_t page_columns(bool is_terminal) {
    constexpr std::size_t kDefault = 100, kFewest = 60, kMost = 200;
    std::size_t columns = 0;
    if (const char* text = std::getenv("COLUMNS")) {
        const std::string_view digits = text;
        std::from_chars(digits.data(), digits.data() + digits.size(), columns);
    }
    winsize window{};
    if (columns == 0 && is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0) {
        columns = window.ws_col;
    }
    return columns == 0 ? kDefault : std::clamp(columns, kFewest, kMost);
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

std::optional<int> parse_utc_offset(const std::string& text) {
    const bool has_sign = !text.empty() && (text[0] == '+' || text[0] == '-');
    std::string digits = text.substr(has_sign ? 1 : 0);
    const std::size_t colon = digits.find(':');
    if (colon != std::string::npos) {
        digits.erase(colon, 1);
    }
    // "8" or "08" are hours; "0830", "08:30" and "8:30" are hours and minutes. "008" is ambiguous.
    const bool has_minutes = digits.size() > 2;
    const bool is_clear = colon != std::string::npos || digits.size() != 3;
    int number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_number = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size() &&
                           digits.find('-') == std::string::npos;
    const bool colon_fits = colon == std::string::npos || (has_minutes && colon + 2 == digits.size());
    const int minutes = has_minutes ? number / 100 * 60 + number % 100 : number * 60;
    if (!is_number || !is_clear || !colon_fits || digits.size() > 4 || minutes > 18 * 60 ||
        (has_minutes && number % 100 >= 60)) {
        return std::nullopt;
    }
    return !text.empty() && text[0] == '-' ? -minutes : minutes;
}

}  // namespace opdebug::tool
