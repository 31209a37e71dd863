// mapping.csv: what it says of a file must stand in it.
#include "tree/mapping.hpp"

#include <opdebug/bytes.hpp>
#include <opdebug/tree.hpp>

#include "require.hpp"
#include "target.hpp"

using namespace opdebug;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text = "\n" + std::string(Bytes(data, size).text()) + "\n";
    for (const auto& [number, name] : tree::parse_mapping(Bytes(data, size).text())) {
        fuzz::require(!number.empty() && number.find_first_not_of("0123456789") == std::string::npos,
                      "a file is called by a decimal number", number);
        fuzz::require(!name.empty() && name.find('\n') == std::string::npos, "a real name is one line", name);
        fuzz::require(text.find("\n" + number + "," + name) != std::string::npos, "the line stands in the file", name);
        static_cast<void>(parse_dump_name(name));
    }
    return 0;
}
