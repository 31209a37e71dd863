// mapping.csv: each line speaks for itself.
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <opdebug/result.hpp>

#include "every_byte.hpp"
#include "tree/mapping.hpp"

namespace opdebug::damage {
namespace {

using Names = std::map<std::string, std::string, std::less<>>;

struct Expected {
    Names names;
    std::set<std::string, std::less<>> contradicted;
    std::uint64_t lines = 0;
    std::uint64_t understood = 0;
};

/// "number,real name" in each line, blanks and quotation marks around each; the first line of a number counts. A last
/// line without a line break must end in a number of 16 digits after a point, in ".npy", or in a quotation mark.
/// "hex.suffix" instead of the number is a line of msaccucmp, of which those of ".npy" files count. Any byte may be
/// in a name; that of an absolute path begins after the last "/".
Expected expected_mapping(const Buffer& bytes) {
    static const std::string quoted = R"re("((?:[^"]|"")*)")re";
    static const std::regex form(R"re([ \t]*(?:([^",]*?)|"([^",]*)")[ \t]*,[ \t]*(?:([^" \t](?:[\s\S]*[^ \t])?)|)re" +
                                 quoted + R"re()[ \t]*)re");
    static const std::regex file("[0-9]+|[0-9a-f]+[.][a-z]+"), doubled("\"\""), folders("^/([\\s\\S]*/)?"),
        whole_end("[\\s\\S]*[.](?:[0-9]{16,}|npy)"), long_name("[0-9]+|[0-9a-f]+[.]npy");
    Expected expected;
    std::string content(bytes.begin(), bytes.end());
    const bool ends_with_break = !content.empty() && content.back() == '\n';
    content = content.substr(0, 3) == "\xef\xbb\xbf" ? content.substr(3) : content;
    std::istringstream text(content);
    for (std::string line; std::getline(text, line);) {
        const bool may_be_cut = text.eof() && !ends_with_break;
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
        }
        if (line.find_first_not_of(" \t") == std::string::npos) {
            continue;
        }
        ++expected.lines;
        std::smatch cells;
        if (!std::regex_match(line, cells, form)) {
            continue;
        }
        const std::string number = cells[1].matched ? cells[1] : cells[2];
        std::string name = cells[3].matched ? cells[3].str() : std::regex_replace(cells[4].str(), doubled, "\"");
        name = std::regex_replace(name, folders, "");
        const bool is_whole = !may_be_cut || cells[4].matched || std::regex_match(name, whole_end);
        if (name.empty() || !std::regex_match(number, file) || !is_whole) {
            continue;
        }
        ++expected.understood;
        if (std::regex_match(number, long_name) && !expected.names.emplace(number, name).second &&
            expected.names[number] != name) {
            expected.contradicted.insert(number);
        }
    }
    return expected;
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
        findings.try_all("mapping.csv", Buffer(text.begin(), text.end()),
                         [&findings](const Buffer& damaged, const Damage&) {
                             const tree::MappingText mapping = tree::parse_mapping(Bytes(damaged).text());
                             const Expected expected = expected_mapping(damaged);
                             findings.require(mapping.names == expected.names, "what is told is what the lines say");
                             findings.require(mapping.contradicted == expected.contradicted, "so are contradictions");
                             findings.require(mapping.lines == expected.lines, "lines are counted");
                             findings.require(mapping.understood == expected.understood, "so are those understood");
                             return mapping.names.empty() ? "no names" : "ok";
                         });
    }
}

}  // namespace opdebug::damage
