// decode_cpp DUMP: prints the record document.
#include <opdebug/opdebug.hpp>

#include <iostream>

int main(int count, char** values) {
    const opdebug::Result<opdebug::Dump> dump = opdebug::decode_file(count == 2 ? values[1] : "");
    if (!dump) {
        std::cerr << opdebug::to_string(dump.error()) << '\n';
        return 1;
    }
    std::cout << opdebug::record_to_json(*dump, opdebug::locate(*dump)) << '\n';
    return 0;
}
