// mapping.csv: what it states about a file must be in it. Quotation marks and blanks around cells are not part of them.
#include "tree/mapping.hpp"

#include <algorithm>
#include <string>

#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

#include "require.hpp"
#include "target.hpp"

using namespace opdebug;

namespace {

std::string without_marks(std::string text) {
    const auto is_mark = [](char character) { return character == '"' || character == ' ' || character == '\t'; };
    text.erase(std::remove_if(text.begin(), text.end(), is_mark), text.end());
    return text;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string content(Bytes(data, size).text());
    const tree::MappingText mapping = tree::parse_mapping(content);
    content.erase(0, content.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0);
    const std::string text = "\n" + without_marks(content) + "\n";
    fuzz::require(mapping.understood <= mapping.lines, "a line is counted once", text);
    fuzz::require(mapping.names.size() <= mapping.understood, "a name has a line", text);
    for (const std::string& number : mapping.contradicted) {
        fuzz::require(mapping.names.count(number) == 1, "of several names one is used", number);
    }
    for (const auto& [number, name] : mapping.names) {
        const bool is_npy = number.ends_with(".npy");
        const std::string digits = number.substr(0, number.size() - (is_npy ? 4 : 0));
        fuzz::require(!digits.empty() &&
                          digits.find_first_not_of(is_npy ? "0123456789abcdef" : "0123456789") == std::string::npos,
                      "a file is called by a decimal number, or a hexadecimal one with .npy", number);
        fuzz::require(!name.empty() && name.find('\n') == std::string::npos, "a real name is one line", name);
        fuzz::require(text.find("\n" + number + "," + without_marks(name)) != std::string::npos,
                      "the line stands in the file", name);
        static_cast<void>(parse_dump_name(name));
    }
    return 0;
}
