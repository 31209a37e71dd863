#include <algorithm>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <opdebug/logs.hpp>

#include "log_builder.hpp"
#include "make_damaged.hpp"
#include "packed_text.hpp"
#include "told_tasks.hpp"

namespace opdebug::damage {
namespace {

constexpr std::uint64_t kFileSize = 8U << 20U;

/// Of so many lines one states something, as in real logs of level INFO; the others have its shape and other words.
constexpr std::uint64_t kLinesForOne = 20;
/// Of so many lines one reports a task that is requested, up to a number of tasks.
constexpr std::uint64_t kLinesForTold = 100;
constexpr std::uint64_t kMostTold = 3000;
constexpr std::size_t kWordsBegin = 90;  ///< after level, module, process and time

struct Shapes {
    std::vector<std::string> lines;     ///< the samples of all built-in definitions
    std::vector<std::string> literals;  ///< what the definitions look for
};

Shapes line_shapes() {
    Shapes shapes;
    const auto formats = list_log_formats();
    for (const LogFormatInfo& format : *formats) {
        shapes.lines.insert(shapes.lines.end(), format.samples.begin(), format.samples.end());
        shapes.literals.push_back(format.literal);
    }
    // Tasks of the sound dumps, so that operators are found.
    test::LogText known;
    known.at(4000).save_dump_task("net/legacy", 0x233, 0x39).launch_2023(0x1234501, 0x1234502, "te_counting");
    known.kernel_trace("net/aiv", 0x501, 0x502).bind(0x202, 0x233, "net").save_dump_task("net/aic", 21, 7);
    for (std::size_t begin = 0, end = 0; begin < known.text().size(); begin = end + 1) {
        end = known.text().find('\n', begin);
        shapes.lines.insert(shapes.lines.end(), 10, known.text().substr(begin, end - begin));
    }
    return shapes;
}

/// The line with other words, which no definition knows.
void change_words(std::string& line) {
    for (std::size_t i = kWordsBegin; i < line.size(); ++i) {
        if (line[i] >= 'a' && line[i] <= 'y') {
            ++line[i];
        }
    }
}

/// Other ids than the sample's, and sometimes another time. The process stays: looking for a task costs time for each
/// process that logs report, and a job has some dozens.
void vary_numbers(std::string& line, Random& random) {
    const std::size_t time = std::min(line.find("):"), kWordsBegin);
    for (std::size_t i = random.one_in(50) ? time : kWordsBegin; i < line.size(); ++i) {
        if (line[i] >= '0' && line[i] <= '9' && random.one_in(2)) {
            line[i] = static_cast<char>('0' + random.below(10));
        }
    }
}

std::size_t place_in(const std::string& line, Random& random) {
    return static_cast<std::size_t>(random.below(line.size() + 1));
}

/// A line of the shape, of up to `longest` bytes, that repeats one of the literals: the dearest lines for a search.
void repeat_literal(std::string& line, const Shapes& shapes, std::uint64_t longest, Random& random) {
    const std::string literal = random.one_of(shapes.literals) + (random.one_in(2) ? "a, stream_id=" : " ");
    const std::uint64_t length = random.below(longest);
    line.resize(line.size() / 2);
    while (line.size() + literal.size() < length) {
        line += literal;
    }
}

void damage_line(std::string& line, const Shapes& shapes, std::uint64_t longest, Random& random) {
    constexpr const char* odd[] = {"\xff\xfe",     "\xc3", "\xed\xa0\x80", "\x1b[2J",
                                   "\xe2\x80\xae", "\r",   "\x07",         "\xc2\x9b"};
    switch (random.below(11)) {
        case 0: line.resize(place_in(line, random)); break;
        case 1: line[static_cast<std::size_t>(random.below(line.size()))] = static_cast<char>(random.number()); break;
        case 2: line.insert(place_in(line, random), static_cast<std::size_t>(random.below(30)) + 1, '\0'); break;
        case 3: line.insert(place_in(line, random), random.one_of(odd)); break;
        case 4: line += random.one_of(shapes.lines); break;  // two lines in one: a line break was lost
        case 5: line.insert(place_in(line, random), static_cast<std::size_t>(random.below(longest)), 'x'); break;
        case 6: repeat_literal(line, shapes, longest, random); break;
        case 7:  // a time that cannot be
            if (const std::size_t time = line.find("):2"); time != std::string::npos) {
                line.replace(time + 2, static_cast<std::size_t>(random.below(23)),
                             random.one_in(2) ? "YYYY-MM-DD" : "99-99");
            }
            break;
        case 8: line += '\r'; break;
        case 9: line.clear(); break;
        default: line.erase(0, place_in(line, random)); break;
    }
}

struct Log {
    std::string text;
    std::vector<ToldTask> told;  ///< by whole lines
    std::int64_t lines() const {
        const bool cut = !text.empty() && text.back() != '\n';
        return std::count(text.begin(), text.end(), '\n') + (cut ? 1 : 0);
    }
};

/// `told`: how many tasks earlier logs report.
Log damaged_log(std::uint64_t size, std::uint64_t longest, const Shapes& shapes, std::uint64_t told, Random& random) {
    Log log;
    log.text.reserve(size + longest + 4096);
    while (log.text.size() < size) {
        if (random.one_in(kLinesForTold) && told + log.told.size() < kMostTold) {
            log.told.push_back(told_task(told + log.told.size()));
            log.text += log.told.back().line;
            continue;
        }
        std::string line = random.one_of(shapes.lines);
        vary_numbers(line, random);
        if (!random.one_in(kLinesForOne)) {
            change_words(line);
        }
        if (random.one_in(4)) {
            damage_line(line, shapes, longest, random);
        }
        log.text += line;
        log.text += '\n';
    }
    if (random.one_in(2)) {  // cut inside its last line
        log.text.resize(size);
        if (!log.told.empty() && log.text.find(log.told.back().line) == std::string::npos) {
            log.told.pop_back();
        }
    }
    return log;
}

enum class Packed : bool { whole, maybe_damaged };

/// The file as it is, or compressed; every other compressed one is damaged. The name, and whether the file is whole.
std::pair<std::string, bool> write_log(const std::filesystem::path& path, const std::string& text, Packed if_packed,
                                       Random& random) {
    const std::uint64_t packing = random.below(6);
    std::string bytes = packing == 0 ? test::gzip_of(text) : packing == 1 ? test::zstd_of(text) : text;
    const bool whole = packing >= 2 || if_packed == Packed::whole || !random.one_in(2);
    if (!whole) {
        const test::Buffer changed =
            damaged(test::Buffer(bytes.begin(), bytes.end()), test::bytes_of("no packed log"), random);
        bytes.assign(changed.begin(), changed.end());
    }
    const char* const ending = packing == 0 ? ".gz" : packing == 1 ? ".zst" : "";
    std::ofstream file(path.string() + ending, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return {path.string() + ending, whole};
}

}  // namespace

void write_damaged_logs(const std::filesystem::path& folder, std::uint64_t bytes, std::uint64_t longest_line,
                        Random& random) {
    const Shapes shapes = line_shapes();
    std::ofstream whole_logs(folder / "logs.tsv");
    std::vector<ToldTask> told;
    for (std::uint64_t file = 0, written = 0; written < bytes; ++file) {
        const std::uint64_t size = std::min(kFileSize, bytes - written);
        const std::filesystem::path place =
            folder / "logs" / fmt::format("host_{}", file % 4) / (file % 5 == 0 ? "debug/device-0" : "debug/plog");
        std::filesystem::create_directories(place);
        const Log log = damaged_log(size, longest_line, shapes, told.size(), random);
        const auto [path, whole] = write_log(
            place / fmt::format("{}-{}_20260304100000000.log", file % 5 == 0 ? "device" : "plog", 5000 + file),
            log.text, file == 0 ? Packed::whole : Packed::maybe_damaged, random);  // a small run has one
        if (whole) {
            whole_logs << std::filesystem::relative(path, folder / "logs").string() << '\t' << log.lines() << '\n';
            told.insert(told.end(), log.told.begin(), log.told.end());
        }
        written += size;
    }
    write_told_tasks(folder, told);
}

}  // namespace opdebug::damage
