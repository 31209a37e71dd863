// Sentences of printed errors that a terminal, an editor or a screenshot broke.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opdebug::logs {

/// The first of the blocks that end a printed error.
inline constexpr std::string_view kTrailer = "[FUNC:";

/// A whole sentence with its "[FUNC:...]" blocks.
struct MendedSentence {
    std::string text;
    bool is_cut = false;      ///< at a break inside a kernel's name, after its type and hash, that nothing confirms
    bool loses_name = false;  ///< at such a break without a hash before it: the name is "none"
};

/// Terminals fill a line with blanks up to their width: a run of blanks is a break. Sentences have no such run.
inline constexpr std::string_view kBlanksOfBreak = "  ";

/// Whether a line has a run of blanks after its indentation.
bool may_be_broken(std::string_view line) noexcept;

/// Whether a sentence that begins in one of these lines ends with the last of them.
bool ends_sentence(const std::vector<std::string_view>& lines);

/// The statements of the lines without their breaks, the likeliest first: breaks between words may mean a blank or not.
/// A number that a line break splits stays split, because a screenshot loses the letters at its edge. A name that a
/// break splits is joined where the text around the break also occurs unbroken in the sentence.
std::vector<MendedSentence> mend_sentence(const std::vector<std::string_view>& lines);

/// The last lines of a log that end no sentence.
class UnfinishedLines {
public:
    /// `number`: of the line in the log. A sentence is not looked for across other lines.
    void add(std::string_view line, std::uint64_t number);
    void clear() noexcept { lines_.clear(); }
    const std::vector<std::string_view>& lines() const noexcept { return lines_; }

private:
    static constexpr std::size_t kMost = 8;
    std::vector<std::string_view> lines_;
    std::uint64_t last_number_ = 0;
};

}  // namespace opdebug::logs
