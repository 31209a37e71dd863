#include "logs/patterns/pattern_runs.hpp"

#include <algorithm>

namespace opdebug::logs {
namespace {

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

/// The search for the end of a run has compared them.
void count_found_literals(PatternProgram& program, std::size_t index) {
    Instruction& run = program.instructions[index];
    for (std::size_t next = index + 1; program.instructions[next].operation == Operation::literal; ++next) {
        ++run.found_literals;
        run.found_bytes += static_cast<std::uint32_t>(program.literals[program.instructions[next].index].size());
    }
}

ByteSet set_of_digits() noexcept {
    ByteSet set{};
    std::fill(set.begin() + '0', set.begin() + '9' + 1, true);
    return set;
}

bool are_apart(const ByteSet& a, const ByteSet& b) noexcept {
    for (std::size_t byte = 0; byte < a.size(); ++byte) {
        if (a[byte] && b[byte]) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::size_t following(const std::vector<Instruction>& code, std::size_t index) noexcept {
    while (true) {
        const Instruction& instruction = code[index];
        if (instruction.operation == Operation::jump) {
            index = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(index) + instruction.offset);
        } else if (instruction.operation == Operation::begin_capture ||
                   instruction.operation == Operation::end_capture) {
            ++index;
        } else {
            return index;
        }
    }
}

void settle_runs(PatternProgram& program) {
    for (std::size_t index = 0; index < program.instructions.size(); ++index) {
        Instruction& run = program.instructions[index];
        if (run.operation != Operation::run) {
            continue;
        }
        const std::size_t next_index = following(program.instructions, index + 1);
        const Instruction& next = program.instructions[next_index];
        const ByteSet set = run.any_byte ? ByteSet{} : program.sets[run.index];
        run.digits = set == set_of_digits();
        if (next.operation == Operation::literal) {
            run.ends_at = static_cast<std::uint32_t>(program.literals.size());
            program.literals.push_back(joined_literals(program, next_index));
            count_found_literals(program, index);
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

/// So a way that cannot match is not tried: most lines have none of what a pattern lets stand there.
void settle_choices(PatternProgram& program) {
    for (std::size_t index = 0; index < program.instructions.size(); ++index) {
        Instruction& either = program.instructions[index];
        const std::ptrdiff_t first = either.lazy ? either.offset : 1;
        if (either.operation == Operation::either) {
            const std::size_t way =
                following(program.instructions, static_cast<std::size_t>(static_cast<std::ptrdiff_t>(index) + first));
            const Instruction& begin = program.instructions[way];
            if (begin.operation == Operation::literal) {
                either.first = program.literals[begin.index].front();
            }
        }
    }
}

/// Nothing leads into the middle of a capture that is one run, so its first instruction can stand for all three.
void join_fields(PatternProgram& program) {
    std::vector<Instruction>& code = program.instructions;
    for (std::size_t index = 0; index + 2 < code.size(); ++index) {
        const bool is_field = code[index].operation == Operation::begin_capture &&
                              code[index + 1].operation == Operation::run && code[index + 1].settled &&
                              code[index + 2].operation == Operation::end_capture;
        if (is_field) {
            const std::uint32_t capture = code[index].index;
            code[index] = code[index + 1];
            code[index].operation = Operation::field;
            code[index].capture = capture;
        }
    }
}

}  // namespace opdebug::logs
