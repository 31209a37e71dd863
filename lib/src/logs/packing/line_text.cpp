#include "logs/packing/line_text.hpp"

#include <algorithm>
#include <utility>

#include "logs/packing/line_difference.hpp"

namespace opdebug::logs {

std::optional<std::string_view> write_line(const LineForm& form, const KnownValues& known, FillingMemory& memory,
                                           std::string_view line, std::span<char> room) {
    if (memory.filled.size() < form.enough_bytes(known) + LineForm::kWrittenBehind) {
        const std::uint64_t most = form.most_bytes(known) + LineForm::kWrittenBehind;
        memory.filled.resize(std::max(memory.filled.size(), static_cast<std::size_t>(most)));
    }
    char* const filled = memory.filled.data();
    const char* const end = form.fill_in(known, memory.times, filled);
    return write_difference({filled, static_cast<std::size_t>(end - filled)}, line, room);
}

std::optional<std::string> whole_line(const LineText& line, const KnownValues& known, WrittenTimes& times) {
    if (line.form == nullptr) {
        return std::string(line.whole);
    }
    std::string filled(static_cast<std::size_t>(line.form->most_bytes(known)) + LineForm::kWrittenBehind, '\0');
    filled.resize(static_cast<std::size_t>(line.form->fill_in(known, times, filled.data()) - filled.data()));
    return line.difference.empty() ? std::optional(std::move(filled)) : whole_text(filled, line.difference);
}

std::uint64_t most_bytes(const LineText& line, const KnownValues& known) noexcept {
    return line.form == nullptr ? line.whole.size() : line.form->most_bytes(known) + 2 * line.difference.size();
}

}  // namespace opdebug::logs
