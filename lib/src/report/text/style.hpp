// Colours of terminals: bold for headings, dim for what matters less, red for faults. Nothing without colours.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include <opdebug/report.hpp>

namespace opdebug::report {

class Style {
public:
    explicit Style(const ReportOptions& options) : is_coloured_(options.color) {}

    std::string bold(std::string_view text) const { return in("1", text); }
    std::string dim(std::string_view text) const { return in("2", text); }
    std::string red(std::string_view text) const { return in("1;31", text); }

private:
    std::string in(std::string_view code, std::string_view text) const {
        return is_coloured_ && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
    }

    bool is_coloured_;
};

}  // namespace opdebug::report
