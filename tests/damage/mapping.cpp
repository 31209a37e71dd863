// mapping.csv: each line speaks for itself. A damaged line costs its own name only, and no name is invented.
#include <algorithm>
#include <vector>

#include <opdebug/result.hpp>

#include "every_byte.hpp"
#include "tree/mapping.hpp"

namespace opdebug::damage {
namespace {

/// A line, and what it states alone.
struct Line {
    std::size_t begin, end;
    std::string number, name;
};

std::vector<Line> lines_of(std::string_view text) {
    std::vector<Line> lines;
    for (std::size_t begin = 0; begin < text.size(); begin = lines.back().end) {
        const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
        const tree::MappingText alone = tree::parse_mapping(text.substr(begin, end - begin));
        lines.push_back({begin, end, alone.names.begin()->first, alone.names.begin()->second});
    }
    return lines;
}

/// Without the bytes that spreadsheets put around names.
std::string without_quotes(std::string_view text) {
    std::string plain(text);
    std::erase(plain, '"');
    return plain;
}

void look_at(Findings& findings, const std::vector<Line>& lines, const tree::MappingText& mapping,
             const std::string& text, const Damage& damage) {
    for (const Line& line : lines) {
        const bool is_whole =
            damage.cut ? line.end <= damage.place : damage.place + 1 < line.begin || damage.place >= line.end;
        const auto found = mapping.names.find(line.number);
        findings.require(!is_whole || (found != mapping.names.end() &&
                                       (found->second == line.name || mapping.contradicted.contains(line.number))),
                         "a whole line gives its name", line.number);
    }
    for (const auto& [number, name] : mapping.names) {
        findings.require(without_quotes(text).find(without_quotes(name)) != std::string::npos, "a name is in the text",
                         name);
        findings.require(text.find(number) != std::string::npos, "a number is in the text", number);
    }
    findings.require(mapping.understood <= mapping.lines && mapping.names.size() <= mapping.understood,
                     "lines are counted");
}

}  // namespace

void try_mapping(Findings& findings) {
    const std::string_view written =
        "12345678901234567890,Add.net_add.118.21.1791769287318452\n"
        "777,Mul.net_mul.119.21.1791769287318999\r\n"
        "777,Mul.net_mul.119.21.1791769287318999\n"
        "42,Relu.a_very_long_name.7.8.1791769287319000\n";
    const std::string_view saved_by_a_spreadsheet =
        "\xef\xbb\xbf\"777\",\"Mul.net_mul.119.21.1791769287318999\"\r\n"
        " 42 , Relu.net.7.8.1791769287319000\r\n"
        "0123456789abcdef0123456789abcdef.npy,Add.long\r\n"
        "\"41\",\"a\"\"b.7.8.1791769287319000\"";
    for (const std::string_view text : {written, saved_by_a_spreadsheet}) {
        const std::vector<Line> lines = lines_of(text);
        findings.try_all("mapping.csv", Buffer(text.begin(), text.end()),
                         [&](const Buffer& damaged, const Damage& damage) {
                             const std::string now(damaged.begin(), damaged.end());
                             const tree::MappingText mapping = tree::parse_mapping(now);
                             look_at(findings, lines, mapping, now, damage);
                             return mapping.names.empty() ? "no names" : "ok";
                         });
    }
}

}  // namespace opdebug::damage
