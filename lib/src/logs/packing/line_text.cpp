#include "logs/packing/line_text.hpp"

#include <array>
#include <utility>

#include "logs/packing/line_difference.hpp"

namespace opdebug::logs {

std::optional<std::string_view> write_line(const LineForm& form, const KnownValues& known, WrittenTimes& times,
                                           std::string_view line, std::span<char> room) noexcept {
    constexpr std::size_t kLongestFilled = 2048;
    std::array<char, kLongestFilled + LineForm::kWrittenBehind> filled;  // NOLINT(*-member-init): what is read was
    if (form.most_bytes(known) > kLongestFilled) {                       // written
        return std::nullopt;
    }
    const char* const end = form.fill_in(known, times, filled.data());
    return write_difference({filled.data(), static_cast<std::size_t>(end - filled.data())}, line, room);
}

std::optional<std::string> whole_line(const LineText& line, const KnownValues& known, WrittenTimes& times) {
    if (line.form == nullptr) {
        return std::string(line.whole);
    }
    std::string filled(line.form->most_bytes(known) + LineForm::kWrittenBehind, '\0');
    filled.resize(static_cast<std::size_t>(line.form->fill_in(known, times, filled.data()) - filled.data()));
    return line.difference.empty() ? std::optional(std::move(filled)) : whole_text(filled, line.difference);
}

std::size_t most_bytes(const LineText& line, const KnownValues& known) noexcept {
    return line.form == nullptr ? line.whole.size() : line.form->most_bytes(known) + 2 * line.difference.size();
}

}  // namespace opdebug::logs
