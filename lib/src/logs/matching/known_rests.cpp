#include "logs/matching/known_rests.hpp"

#include <algorithm>
#include <cstring>

#include "bytes/hash_factors.hpp"
#include "logs/text/lexer.hpp"
#include "logs/text/same_bytes.hpp"

namespace opdebug::logs {
namespace {

constexpr std::size_t kHashed = 32;  // file, line, thread and most of the function

std::size_t hash_of(std::string_view rest) noexcept {
    std::array<std::uint64_t, kHashed / sizeof(std::uint64_t)> words{};
    std::memcpy(words.data(), rest.data(), kHashed);
    std::uint64_t mixed = 0;
    for (const std::uint64_t word : words) {
        mixed = (mixed ^ word) * bytes::kHashFactor;
        mixed ^= mixed >> 32U;
    }
    return mixed;
}

}  // namespace

void KnownRests::complete(LogLine& line) {
    const std::string_view rest = line.text;
    // The thread of MindSpore's own lines is known before: what follows is read in another way.
    if (line.tid || line.short_form || rest.size() < kHashed) {
        complete_line(line);
        return;
    }
    Rest& known = rests_[hash_of(rest) % kMost];
    const bool is_known = known.size != 0 && rest.size() > known.size && rest[known.size] != ':' &&
                          same_bytes(rest.data(), known.bytes.data(), known.size);
    if (!is_known) {
        complete_line(line);
        learn(rest, line, known);
        return;
    }
    line.tid = known.tid;
    line.thread = rest.substr(known.thread, known.thread_size);
    line.function = rest.substr(known.function, known.function_size);
    line.text.remove_prefix(known.size);
    skip_spaces(line.text);
    mark_cut_text(line);
}

/// Not what begins with anything but a block, as the firmware's sequence, nor where a second colon might go on with the
/// function's name.
void KnownRests::learn(std::string_view rest, const LogLine& line, Rest& known) const noexcept {
    std::string_view after = rest;
    skip_spaces(after);
    if (line.function.empty() || !after.starts_with('[') || line.function.data() < rest.data()) {
        return;
    }
    const auto function = static_cast<std::size_t>(line.function.data() - rest.data());
    std::size_t end = function + line.function.size();
    end += rest.substr(end).starts_with(' ') ? 1U : 0U;
    const bool ends_in_colon = end + 1 < rest.size() && rest[end] == ':' && rest[end + 1] != ':';
    if (!ends_in_colon || end + 1 > known.bytes.size()) {
        return;
    }
    std::string_view behind = rest.substr(end + 1);
    skip_spaces(behind);
    if (behind.data() != line.text.data()) {
        return;  // a colon in a block of the driver, "[Func :...]"
    }
    known.size = end + 1;
    std::copy_n(rest.begin(), known.size, known.bytes.begin());
    known.function = function;
    known.function_size = line.function.size();
    known.tid = line.tid;
    known.thread = line.thread.empty() ? 0 : static_cast<std::size_t>(line.thread.data() - rest.data());
    known.thread_size = line.thread.size();
}

}  // namespace opdebug::logs
