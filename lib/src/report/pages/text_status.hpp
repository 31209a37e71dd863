// A status for people: number, working, causes.
#pragma once

#include <string>

#include <opdebug/status.hpp>

namespace opdebug::report {

/// "32 (0x20)", or the four words of a version-1 record.
std::string show_words(const std::vector<std::uint64_t>& words);

/// "bit 5 (0x20)", "bits 3, 4 (0x18)".
std::string show_bits(std::uint64_t bits, Language language);

/// Cause, text, advice and source of each cause, and the undocumented bits, indented by `indent` blanks.
std::string causes_to_text(const StatusExplanation& status, Language language, std::size_t indent);

}  // namespace opdebug::report
