// mapping.csv: each line speaks for itself.
#include <map>
#include <sstream>

#include <opdebug/bytes.hpp>

#include "every_byte.hpp"
#include "tree/mapping.hpp"

namespace opdebug::damage {
namespace {

/// "number,real name" in each line, the first line of a number counts; other lines say nothing.
std::map<std::string, std::string, std::less<>> expected_mapping(const Buffer& bytes) {
    std::map<std::string, std::string, std::less<>> names;
    std::istringstream text(std::string(bytes.begin(), bytes.end()));
    for (std::string line; std::getline(text, line);) {
        if (!line.empty() && line.back() == '\r') {
            line.pop_back();
        }
        const std::size_t digits = line.find_first_not_of("0123456789");
        if (digits != std::string::npos && digits != 0 && line[digits] == ',' && digits + 1 < line.size()) {
            names.emplace(line.substr(0, digits), line.substr(digits + 1));
        }
    }
    return names;
}

}  // namespace

void try_mapping(Findings& findings) {
    const std::string_view text =
        "12345678901234567890,Add.net_add.118.21.1791769287318452\n"
        "777,Mul.net_mul.119.21.1791769287318999\r\n"
        "777,Mul.net_mul.119.21.1791769287318999\n"
        "42,Relu.a_very_long_name.7.8.1791769287319000\n";
    findings.try_all("mapping.csv", Buffer(text.begin(), text.end()),
                     [&findings](const Buffer& damaged, const Damage&) {
                         const auto names = tree::parse_mapping(Bytes(damaged).text());
                         findings.require(names == expected_mapping(damaged), "what is told is what the lines say");
                         return names.empty() ? "no names" : "ok";
                     });
}

}  // namespace opdebug::damage
