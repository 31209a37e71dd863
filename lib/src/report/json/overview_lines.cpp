#include "report/json/overview_lines.hpp"

#include <cstddef>
#include <string_view>

#include "report/json/json_group.hpp"
#include "report/json/json_writer.hpp"

namespace opdebug::report {
namespace {

/// Below what malloc asks the system for one by one. One text for all would be there twice whenever it grows.
constexpr std::size_t kPiece = std::size_t{64} << 10U;

void add_item(std::string_view item, std::vector<std::string>& pieces) {
    if (pieces.empty() || pieces.back().size() + 1 + item.size() > kPiece) {
        pieces.emplace_back().reserve(kPiece);
    } else {
        pieces.back() += ',';
    }
    pieces.back() += item;
}

}  // namespace

OverviewLines lines_of(scan_stage::OverviewBuilder& overview) {
    OverviewLines lines;
    JsonWriter json{JsonWriter::Indent()};
    lines.diagnostics = overview.finish_each([&](const ScanGroup& group) {
        write_group(group, json);
        add_item(json.text(), lines.groups);
        json.clear();
    });
    return lines;
}

}  // namespace opdebug::report
