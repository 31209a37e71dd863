#include "api_reading.hpp"

#include <fmt/format.h>

#include "temporary_directory.hpp"

namespace opdebug::test {

ApiReading read_api_text(std::string_view name, std::string_view text, const ApiReadOptions& options) {
    const TemporaryDirectory directory;
    const std::string path = write_file(directory / name, text);
    std::vector<ApiEntry> entries;
    Result<ApiFile> file =
        read_api_dump(path, options, [&entries](ApiEntry&& entry) { entries.push_back(std::move(entry)); });
    return {std::move(file), std::move(entries)};
}

std::string shown(const ApiValue& value) {
    const auto number = [](const std::optional<double>& told) { return told ? fmt::format("{}", *told) : "-"; };
    const std::string where = fmt::format("{} {} {}", to_string(value.kind), value.index, value.dtype);
    if (value.is_scalar) {
        return where + " " + number(value.max);
    }
    return fmt::format("{} [{}] {} {} {}", where, fmt::join(value.shape, " "), number(value.max), number(value.min),
                       number(value.norm));
}

std::string shown_values(const ApiEntry& entry) {
    std::string text;
    for (const ApiValue& value : entry.values) {
        text += (text.empty() ? "" : "; ") + shown(value);
    }
    return text;
}

std::string codes(const ApiReading& reading) {
    if (!reading.file) {
        return std::string(to_string(reading.file.error().code));
    }
    std::string text;
    for (const Diagnostic& told : reading.file->diagnostics) {
        text += (text.empty() ? "" : " ") + told.code;
    }
    return text;
}

}  // namespace opdebug::test
