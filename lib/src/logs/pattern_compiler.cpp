// A pattern's text → its instructions.
#include "logs/pattern_program.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "logs/scan.hpp"

namespace opdebug::logs {
namespace {

using Code = std::vector<Instruction>;

constexpr std::uint32_t kUnbounded = std::numeric_limits<std::uint32_t>::max();
constexpr int kDeepest = 16;  // brackets in brackets; far more than a pattern of a log line has

std::ptrdiff_t distance(std::size_t instructions) noexcept {
    return static_cast<std::ptrdiff_t>(instructions);
}

void append(Code& code, const Code& further) {
    code.insert(code.end(), further.begin(), further.end());
}

Instruction plain(Operation operation, std::uint32_t index = 0) {
    Instruction instruction;
    instruction.operation = operation;
    instruction.index = index;
    return instruction;
}

Instruction branch(Operation operation, std::size_t offset, bool lazy = false) {
    Instruction instruction = plain(operation);
    instruction.offset = distance(offset);
    instruction.lazy = lazy;
    return instruction;
}

template <class Test>
constexpr ByteSet set_of(Test test) {
    ByteSet set{};
    for (std::size_t byte = 0; byte < set.size(); ++byte) {
        set[byte] = test(static_cast<char>(byte));
    }
    return set;
}
constexpr ByteSet kDigits = set_of(is_digit);
constexpr ByteSet kWordBytes = set_of(is_word);

/// How often what stands before may occur.
struct Repeat {
    std::uint32_t minimum = 1, maximum = 1;
    bool lazy = false;
    bool once() const noexcept { return minimum == 1 && maximum == 1; }
};

class Compiler {
public:
    explicit Compiler(std::string_view pattern) : rest_(pattern) {}

    std::optional<PatternProgram> compile() {
        program_.instructions = alternatives(0);
        if (!rest_.empty()) {
            fail();
        }
        program_.instructions.push_back(plain(Operation::matched));
        return failed_ ? std::nullopt : std::optional(std::move(program_));
    }

private:
    /// Not an error: the pattern is left to Boost.Regex.
    void fail() noexcept {
        failed_ = true;
        rest_ = {};
    }
    char take_byte() noexcept {
        const char byte = rest_.front();
        rest_.remove_prefix(1);
        return byte;
    }

    Code alternatives(int depth) {
        std::vector<Code> ways;
        do {
            ways.push_back(sequence(depth));
        } while (!failed_ && take(rest_, "|"));
        const bool has_empty = std::any_of(ways.begin(), ways.end(), [](const Code& way) { return way.empty(); });
        if (ways.size() > 1 && has_empty) {
            fail();
        }
        Code code = std::move(ways.back());
        for (std::size_t way = ways.size() - 1; way-- > 0;) {
            Code earlier{branch(Operation::either, ways[way].size() + 2)};
            append(earlier, ways[way]);
            earlier.push_back(branch(Operation::jump, code.size() + 1));
            append(earlier, code);
            code = std::move(earlier);
        }
        return code;
    }

    Code sequence(int depth) {
        Code code;
        bool joins = false;  // the last instruction of a group is not to be made longer
        while (!rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
            const bool is_group = rest_.front() == '(';
            if (is_group) {
                append(code, group(depth));
            } else if (const std::optional<Operation> place = take_place()) {
                code.push_back(plain(*place));
            } else {
                bytes(code, joins);
            }
            joins = !is_group;
        }
        return code;
    }

    /// "^", "$", "\b"
    std::optional<Operation> take_place() {
        if (take(rest_, "^")) {
            return Operation::text_begin;
        }
        if (take(rest_, "$")) {
            return Operation::text_end;
        }
        return take(rest_, "\\b") ? std::optional(Operation::word_boundary) : std::nullopt;
    }

    /// One byte or set and how often it occurs. Bytes that occur once are joined to a literal.
    void bytes(Code& code, bool joins) {
        ByteSet set{};
        std::optional<char> byte;
        const bool any_byte = rest_.front() == '.';
        if (any_byte) {
            rest_.remove_prefix(1);
        } else if (rest_.front() == '[') {
            set = byte_class();
        } else if (!take_named_set(set)) {
            byte = single_byte();
        }
        const Repeat repeat = take_repeat();
        if (failed_) {
            return;
        }
        if (byte && repeat.once()) {
            add_to_literal(code, *byte, joins);
            return;
        }
        if (byte) {
            set[static_cast<unsigned char>(*byte)] = true;
        }
        Instruction run = plain(Operation::run, any_byte ? 0 : index_of(set));
        run.any_byte = any_byte;
        run.lazy = repeat.lazy;
        run.minimum = repeat.minimum;
        run.maximum = repeat.maximum;
        code.push_back(run);
    }

    /// Most patterns have few sets, many times.
    std::uint32_t index_of(const ByteSet& set) {
        const auto known = std::find(program_.sets.begin(), program_.sets.end(), set);
        const auto index = static_cast<std::uint32_t>(known - program_.sets.begin());
        if (known == program_.sets.end()) {
            program_.sets.push_back(set);
        }
        return index;
    }

    void add_to_literal(Code& code, char byte, bool joins = true) {
        if (!joins || code.empty() || code.back().operation != Operation::literal) {
            code.push_back(plain(Operation::literal, static_cast<std::uint32_t>(program_.literals.size())));
            program_.literals.emplace_back();
        }
        program_.literals[code.back().index].push_back(byte);
    }

    /// A byte that stands for itself, by itself or behind "\".
    char single_byte() {
        constexpr std::string_view kSpecial = "\\[](){}.*+?|^$";
        if (kSpecial.find(rest_.front()) == std::string_view::npos) {
            return take_byte();
        }
        if (!take(rest_, "\\") || rest_.empty() || is_word(rest_.front()) || rest_.front() == '<' ||
            rest_.front() == '>' || rest_.front() == '`' || rest_.front() == '\'') {
            fail();
            return '\0';
        }
        return take_byte();
    }

    /// "\d" or "\w"
    bool take_named_set(ByteSet& set) {
        const bool digits = take(rest_, "\\d");
        if (!digits && !take(rest_, "\\w")) {
            return false;
        }
        const ByteSet& named = digits ? kDigits : kWordBytes;
        std::transform(set.begin(), set.end(), named.begin(), set.begin(), std::logical_or<>());
        return true;
    }

    /// "[...]"
    ByteSet byte_class() {
        ByteSet set{};
        rest_.remove_prefix(1);
        const bool excludes = take(rest_, "^");
        bool empty = true;
        while (!failed_ && !rest_.empty() && rest_.front() != ']') {
            empty = false;
            if (!take_named_set(set)) {
                class_range(set);
            }
        }
        if (empty || !take(rest_, "]")) {
            fail();
        }
        for (bool& member : set) {
            member = member != excludes;
        }
        return set;
    }

    /// "a-f" or one byte of a class.
    void class_range(ByteSet& set) {
        const char first = class_byte();
        char last = first;
        if (rest_.size() > 1 && rest_[0] == '-' && rest_[1] != ']') {
            rest_.remove_prefix(1);
            last = failed_ ? first : class_byte();
        }
        if (last < first) {
            fail();
        }
        const std::size_t end = static_cast<unsigned char>(last) + std::size_t{1};
        for (std::size_t byte = static_cast<unsigned char>(first); byte < end; ++byte) {
            set[byte] = true;
        }
    }

    char class_byte() {
        const bool escaped = take(rest_, "\\");
        const char byte = rest_.empty() ? '\0' : take_byte();
        if (byte < ' ' || byte > '~' || (escaped && is_word(byte)) || (!escaped && (byte == '[' || byte == '-'))) {
            fail();  // also bytes above 127, which are negative on some processors
            return '\0';
        }
        return byte;
    }

    std::optional<std::uint32_t> take_count() {
        constexpr std::int64_t kMost = 1000;
        if (rest_.empty() || !is_digit(rest_.front())) {
            return std::nullopt;
        }
        const std::optional<std::int64_t> count = take_integer(rest_);
        if (!count || *count > kMost) {
            fail();
            return std::nullopt;
        }
        return static_cast<std::uint32_t>(*count);
    }

    Repeat take_repeat() {
        Repeat repeat;
        if (take(rest_, "?")) {
            repeat = {0, 1};
        } else if (take(rest_, "*")) {
            repeat = {0, kUnbounded};
        } else if (take(rest_, "+")) {
            repeat = {1, kUnbounded};
        } else if (take(rest_, "{")) {
            const std::optional<std::uint32_t> minimum = take_count();
            const bool has_comma = take(rest_, ",");
            const std::optional<std::uint32_t> maximum = has_comma ? take_count() : minimum;
            repeat = {minimum.value_or(0), maximum.value_or(kUnbounded)};
            if (!minimum || repeat.maximum < repeat.minimum || !take(rest_, "}")) {
                fail();
            }
        } else {
            return repeat;
        }
        repeat.lazy = take(rest_, "?");
        if (!rest_.empty() && (rest_.front() == '+' || rest_.front() == '*' || rest_.front() == '?')) {
            fail();
        }
        return repeat;
    }

    Code group(int depth) {
        if (depth == kDeepest) {
            fail();
            return {};
        }
        rest_.remove_prefix(1);
        if (take(rest_, "?=")) {
            return look(Operation::ahead, depth);
        }
        if (take(rest_, "?!")) {
            return look(Operation::not_ahead, depth);
        }
        if (take(rest_, "?<!")) {
            return not_behind();
        }
        const std::size_t captures_before = program_.names_of_groups.size();
        Code code = take(rest_, "?<") ? captured(depth) : (take(rest_, "?:"), alternatives(depth + 1));
        close();
        const bool has_captures = program_.names_of_groups.size() != captures_before;
        return repeated(std::move(code), has_captures);
    }

    void close() {
        if (!take(rest_, ")")) {
            fail();
        }
    }

    Code captured(int depth) {
        const std::string name(front_while(rest_, is_word));
        rest_.remove_prefix(name.size());
        if (name.empty() || is_digit(name.front()) || !take(rest_, ">")) {
            fail();
        }
        const auto index = static_cast<std::uint32_t>(program_.names_of_groups.size());
        const auto known = std::find(program_.names.begin(), program_.names.end(), name);
        program_.names_of_groups.push_back(static_cast<std::size_t>(known - program_.names.begin()));
        if (known == program_.names.end()) {
            program_.names.push_back(name);
        }
        Code code{plain(Operation::begin_capture, index)};
        append(code, alternatives(depth + 1));
        code.push_back(plain(Operation::end_capture, index));
        return code;
    }

    Code look(Operation operation, int depth) {
        const std::size_t captures_before = program_.names_of_groups.size();
        Code code = alternatives(depth + 1);
        close();
        const bool has_captures = program_.names_of_groups.size() != captures_before;
        if ((operation == Operation::not_ahead && has_captures) || !take_repeat().once()) {
            fail();
        }
        code.push_back(plain(Operation::matched));
        code.insert(code.begin(), branch(operation, code.size() + 1));
        return code;
    }

    Code not_behind() {
        Code code;
        while (!failed_ && !rest_.empty() && rest_.front() != ')') {
            add_to_literal(code, single_byte());
        }
        close();
        if (code.empty() || !take_repeat().once()) {
            fail();
        } else {
            code.front().operation = Operation::not_behind;
        }
        return code;
    }

    /// A group and how often it occurs: once, at most once, or any number of times where it takes at least one byte.
    Code repeated(Code code, bool has_captures) {
        const Repeat repeat = take_repeat();
        if (repeat.once() || failed_) {
            return code;
        }
        const bool is_optional = repeat.minimum == 0 && repeat.maximum == 1;
        const bool may_repeat =
            repeat.maximum == kUnbounded && repeat.minimum <= 1 && !has_captures && takes_bytes(code);
        if (!is_optional && !may_repeat) {
            fail();
            return {};
        }
        if (repeat.minimum == 1) {  // body; either: back to the body, or on
            Instruction again = plain(Operation::either);
            again.offset = -distance(code.size());
            again.lazy = !repeat.lazy;  // the other way is the body
            code.push_back(again);
            return code;
        }
        Code result{branch(Operation::either, code.size() + (is_optional ? 1 : 2), repeat.lazy)};
        append(result, code);
        if (!is_optional) {
            Instruction back = plain(Operation::jump);
            back.offset = -distance(result.size());
            result.push_back(back);
        }
        return result;
    }

    /// Whether the first instructions, which are always run, take a byte: a repeat of nothing would not end.
    static bool takes_bytes(const Code& code) noexcept {
        for (std::size_t index = 0; index < code.size();) {
            switch (code[index].operation) {
                case Operation::literal: return true;
                case Operation::run:
                    if (code[index].minimum > 0) {
                        return true;
                    }
                    ++index;
                    break;
                case Operation::ahead:
                case Operation::not_ahead: index += static_cast<std::size_t>(code[index].offset); break;
                case Operation::text_begin:
                case Operation::text_end:
                case Operation::word_boundary:
                case Operation::not_behind: ++index; break;
                default: return false;
            }
        }
        return false;
    }

    std::string_view rest_;
    PatternProgram program_;
    bool failed_ = false;
};

/// The index of what is run next, past captures and jumps.
std::size_t following(const Code& code, std::size_t index) noexcept {
    while (true) {
        const Instruction& instruction = code[index];
        if (instruction.operation == Operation::jump) {
            index = static_cast<std::size_t>(distance(index) + instruction.offset);
        } else if (instruction.operation == Operation::begin_capture ||
                   instruction.operation == Operation::end_capture) {
            ++index;
        } else {
            return index;
        }
    }
}

/// All literals that must follow each other from `index` on, as one: "(?:.*?, )?task_id=" is searched for ", task_id=",
/// not for each comma.
std::string joined_literals(const PatternProgram& program, std::size_t index) {
    std::string joined;
    while (program.instructions[index].operation == Operation::literal) {
        joined += program.literals[program.instructions[index].index];
        index = following(program.instructions, index + 1);
    }
    return joined;
}

bool are_apart(const ByteSet& a, const ByteSet& b) noexcept {
    for (std::size_t byte = 0; byte < a.size(); ++byte) {
        if (a[byte] && b[byte]) {
            return false;
        }
    }
    return true;
}

/// Looks at what follows each run.
void settle_runs(PatternProgram& program) {
    for (std::size_t index = 0; index < program.instructions.size(); ++index) {
        Instruction& run = program.instructions[index];
        if (run.operation != Operation::run) {
            continue;
        }
        const std::size_t next_index = following(program.instructions, index + 1);
        const Instruction& next = program.instructions[next_index];
        const ByteSet set = run.any_byte ? ByteSet{} : program.sets[run.index];
        if (next.operation == Operation::literal) {
            run.ends_at = static_cast<std::uint32_t>(program.literals.size());
            program.literals.push_back(joined_literals(program, next_index));
            run.settled =
                !run.lazy && !run.any_byte && !set[static_cast<unsigned char>(program.literals[next.index].front())];
        } else if (next.operation == Operation::matched) {
            run.settled = !run.lazy;
        } else if (next.operation == Operation::run) {
            run.settled = !run.lazy && !run.any_byte && !next.any_byte && next.minimum > 0 &&
                          are_apart(set, program.sets[next.index]);
        }
    }
}

}  // namespace

std::optional<PatternProgram> compile_pattern(std::string_view pattern) {
    std::optional<PatternProgram> program = Compiler(pattern).compile();
    if (!program || program->names_of_groups.size() > kMostGroups) {
        return std::nullopt;
    }
    settle_runs(*program);
    const Instruction& first = program->instructions[following(program->instructions, 0)];
    program->at_text_begin = first.operation == Operation::text_begin;
    program->asks_for_breaks =
        std::any_of(program->instructions.begin(), program->instructions.end(), [](const Instruction& i) {
            return i.operation == Operation::text_begin || i.operation == Operation::text_end;
        });
    if (first.operation == Operation::literal) {
        program->first_literal = first.index;
    }
    return program;
}

}  // namespace opdebug::logs
