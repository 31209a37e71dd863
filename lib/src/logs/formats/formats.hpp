// Log-line formats as data: which line states what. Built in from lib/data/log-formats/*.json.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/facts/fact.hpp"
#include "logs/formats/format_file.hpp"
#include "logs/formats/literal_search.hpp"
#include "logs/formats/wanted.hpp"
#include "logs/lines/line.hpp"

namespace opdebug::logs {

/// What a line states, and the format that read it.
struct Match {
    Fact fact;
    const FormatDefinition* format = nullptr;  ///< lives as long as the set of formats
};

/// The formats of one module that state something.
struct ModuleFormats;

/// A checked set of formats: every sample matches exactly one pattern (and maybe a fallback, which is tried last),
/// every pattern has a sample, the literal occurs in each. Immutable after loading; match() may be called from several
/// threads.
class LogFormats {
public:
    /// Reads formats from JSON texts. Errors: log_format_invalid with file, format id, reason and remedy;
    /// nesting_too_deep, name_too_long.
    static Result<std::shared_ptr<const LogFormats>> load(const std::vector<NamedText>& files,
                                                          const Limits& limits = {},
                                                          Samples samples = Samples::checked);

    /// The module of formats that also read lines without prefix and without the blocks of a printed error.
    static constexpr std::string_view kPrinted = "PRINTED";

    /// Null where no line of the module states anything. A printed error has no module (""): formats of all modules
    /// read it. Lives as long as the set of formats.
    const ModuleFormats* of_module(std::string_view module) const;

    /// The literals of a module's formats in a text: a cheap check of a line. The text may be everything after the time
    /// (parse_line_prefix). False where there are none.
    static bool find_literals(const ModuleFormats& formats, std::string_view text, FoundLiterals& found);

    /// The statement that the line makes. `found`: the literals in `searched`, which ends as the line's text does.
    /// `diagnostic` (may be null) receives a remark when a pattern gave up on the line (regular-expression complexity).
    static Reading match(const ModuleFormats& formats, const LogLine& line, std::string_view searched,
                         const FoundLiterals& found, Match& match, std::optional<Diagnostic>* diagnostic,
                         const Wanted& wanted = Wanted());

    /// All of it for a line by itself.
    std::optional<Match> match(const LogLine& line, std::optional<Diagnostic>* diagnostic = nullptr) const;

    /// The definitions in the order of the files.
    std::vector<const FormatDefinition*> definitions() const;

    ~LogFormats();

private:
    LogFormats();
    LogFormats(const LogFormats&) = delete;
    LogFormats& operator=(const LogFormats&) = delete;
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// The formats that the library carries; the same object for every call; thread-safe.
std::shared_ptr<const LogFormats> built_in_log_formats();

/// The JSON texts of the built-in formats, to be loaded together with the user's own.
std::vector<NamedText> built_in_log_format_files();

}  // namespace opdebug::logs
