// File names of dumps → ids and time.
#include <utility>

#include <boost/container/small_vector.hpp>

#include <opdebug/tree.hpp>

#include "tree/no_id.hpp"
#include "tree/number.hpp"
#include "tree/spelling.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// 16 digits from 2001 to 2286; one document shows 15. Fewer than 13 are not microseconds of this century: a name of
/// any other kind of file ("libx.so.1.2"). What is spelled as an overflow dump is one, however short its time.
constexpr std::size_t kFewestTimestampDigits = 13;

constexpr std::size_t kMostParts = 10;  ///< of the longest form; those of other names may have more

/// On the stack: a scan takes five names apart for each dump.
template <class T>
using OfEachPart = boost::container::small_vector<T, kMostParts>;
using Parts = OfEachPart<std::string_view>;

Parts split_at_dots(std::string_view name) {
    Parts parts;
    std::size_t begin = 0;
    for (std::size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.', begin)) {
        parts.push_back(name.substr(begin, dot - begin));
        begin = dot + 1;
    }
    parts.push_back(name.substr(begin));
    return parts;
}

std::optional<std::uint64_t> unless_marker(std::optional<std::uint64_t> id) {
    return id && tree::is_no_id(*id) ? std::nullopt : id;
}

/// The numbers behind type and name; those beyond 64 bits are not known.
struct Tail {
    OfEachPart<std::optional<std::uint64_t>> numbers;
    bool ffts_literal = false;  ///< the word FFTSPLUS stands behind the fourth of seven numbers
};

/// Nothing when the parts behind type and name are not numbers, as far as the form allows.
std::optional<Tail> read_tail(const Parts& parts) {
    Tail tail;
    for (std::size_t i = 2; i < parts.size(); ++i) {
        if (i == 6 && parts[i] == "FFTSPLUS" && parts.size() == 10) {
            tail.ffts_literal = true;
        } else if (tree::is_decimal(parts[i])) {
            tail.numbers.push_back(tree::parse_number(parts[i]));
        } else {
            return std::nullopt;
        }
    }
    return tail;
}

/// Gives the numbers their meaning, by how many there are. Returns the position of the time; nothing for a form that is
/// not documented, of which no number is understood.
std::optional<std::size_t> assign_numbers(const Tail& tail, DumpName& name) {
    const auto& numbers = tail.numbers;
    std::size_t first = 0;  // of task, stream and time
    switch (numbers.size()) {
        case 2:  // task.timestamp, CANN of 2020
            name.task_id = numbers[0];
            name.timestamp_us = numbers[1];
            return 1;
        case 3: break;                                     // task.stream.timestamp
        case 4: first = 1; break;                          // dump_number.task.stream.timestamp, host-side adump
        case 7: first = tail.ffts_literal ? 1 : 0; break;  // either, then [4.]context.thread.device, FFTS+
        default: return std::nullopt;
    }
    name.dump_number = first == 1 ? numbers[0] : std::nullopt;
    name.task_id = numbers[first];
    name.stream_id = numbers[first + 1];
    name.timestamp_us = numbers[first + 2];
    if (numbers.size() == 7) {
        name.context_id = unless_marker(numbers[4]);
        name.thread_id = unless_marker(numbers[5]);
        name.device_id = numbers[6];
    }
    return first + 2;
}

}  // namespace

std::string_view file_name_of(std::string_view path) noexcept {
    const std::size_t slash = path.rfind('/');
    return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::optional<DumpName> parse_dump_name(std::string_view text) {
    const Parts parts = split_at_dots(text);
    if (parts.size() < 3 || parts[0].empty() || parts[1].empty()) {
        return std::nullopt;
    }
    const std::optional<Tail> tail = read_tail(parts);
    if (!tail) {
        return std::nullopt;
    }
    DumpName name;
    name.op_type = parts[0];
    name.op_name = parts[1];
    name.is_overflow_dump = tree::is_overflow_spelling(name.op_type, name.op_name);
    name.documented_spelling = name.op_type == "Opdebug" && name.op_name == "Node_OpDebug";
    const std::optional<std::size_t> time = assign_numbers(*tail, name);
    const bool like_an_op_dump = time && parts[2 + *time].size() >= kFewestTimestampDigits;
    return name.is_overflow_dump || like_an_op_dump ? std::optional(std::move(name)) : std::nullopt;
}

}  // namespace v0
}  // namespace opdebug
