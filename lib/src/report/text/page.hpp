// What pages for people have in common: fixed words in the reader's language, colours, and lines of the page's width.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "remarks/diagnose.hpp"
#include "remarks/word.hpp"
#include "report/text/joined_lists.hpp"
#include "report/text/numbers_and_times.hpp"
#include "report/text/text_table.hpp"

namespace opdebug::report {

/// "rank 3  device 5": names and their values, as far as these are known, with `separator` between them.
class KnownValues {
public:
    explicit KnownValues(std::string_view separator) : separator_(separator) {}

    template <class T>
    KnownValues& add(std::string_view name, const std::optional<T>& value) {
        return value ? add(fmt::format("{} {}", name, *value)) : *this;
    }
    /// An empty text is not known.
    KnownValues& add(std::string_view text) {
        text_ += fmt::format("{}{}", text_.empty() || text.empty() ? "" : separator_, text);
        return *this;
    }
    const std::string& text() const noexcept { return text_; }

private:
    std::string_view separator_;
    std::string text_;
};

/// The options must outlive the page.
struct Page {
    const ReportOptions& options;

    Language language() const { return options.language; }

    /// A fixed text (lib/data/diagnostics/pages.jsonl). Static storage.
    std::string_view word(std::string_view id) const { return remarks::word(id, language()); }
    /// A text with values.
    std::string phrase(std::string_view id, remarks::Fields fields) const {
        return remarks::phrase(id, fields).in(language());
    }

    /// Colours of terminals: bold for headings, dim for what matters less, red for faults. Nothing without colours.
    std::string bold(std::string_view text) const { return painted("1", text); }
    std::string dim(std::string_view text) const { return painted("2", text); }
    std::string red(std::string_view text) const { return painted("1;31", text); }
    /// A line that begins with `label`, which is painted: colours have no columns.
    std::string with_label(std::string_view label, const std::string& painted_label, std::string_view rest,
                           std::string_view right) const {
        return painted_label + two_sides(fmt::format("{}{}", label, rest), right, options.columns).substr(label.size());
    }

    /// After an empty line.
    std::string heading(std::string_view title) const { return fmt::format("\n{}\n", bold(title)); }
    /// The text below the title with this id; empty without text.
    std::string part(std::string_view title, const std::string& text) const {
        return text.empty() ? text : heading(word(title)) + text;
    }
    /// The text in lines, the first after `first`, the others indented.
    std::string lines(std::string_view first, std::string_view text, std::size_t indent) const {
        return wrapped(first, text, indent, options.columns);
    }
    /// "warning [code] message"
    std::string remark(const Diagnostic& remark) const {
        return fmt::format("{} [{}] {}\n", word(severity_word(remark.severity)), printable(remark.code),
                           printable(remark.message_in(language())));
    }
    /// The line for rows that only the long page shows; empty without such rows.
    std::string more(std::size_t count) const { return count == 0 ? "" : phrase("page.more", {{"count", count}}); }
    /// The lines of the first `most` items, with `verbose` of all.
    template <class Items, class LinesOf>
    std::string first_lines(const Items& items, std::size_t most, const LinesOf& lines_of) const {
        const std::vector<std::string> shown = mapped(items, lines_of, options.verbose ? SIZE_MAX : most);
        return fmt::format("{}{}", fmt::join(shown, ""), more(items.size() - shown.size()));
    }
    /// The line for rows that no page shows.
    std::string left_out(std::size_t count) const {
        return count == 0 ? "" : fmt::format("  {}\n", phrase("page.left_out", {{"count", count}}));
    }
    /// The same whole with `verbose`.
    std::string path(const std::string& file, std::size_t columns) const {
        return options.verbose ? printable(file) : shorten_path(printable(file), columns);
    }
    /// In the zone of the run, in minutes ahead of UTC; in that of the reader where it is not known.
    std::string local_time(std::uint64_t time_us, const std::optional<int>& of_run) const {
        return show_local_time(time_us, shown_offset(time_us, of_run, options));
    }

    static std::string_view severity_word(Severity severity) {
        return severity == Severity::error     ? "page.error"
               : severity == Severity::warning ? "page.warning"
                                               : "page.info";
    }

private:
    std::string painted(std::string_view code, std::string_view text) const {
        return options.color && !text.empty() ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
    }
};

}  // namespace opdebug::report
