#include "dump/header_names.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <boost/nowide/utf/utf.hpp>

namespace opdebug::dump_stage {
namespace {

/// Where the first character that is no UTF-8 begins.
std::optional<std::size_t> broken_character(std::string_view text) {
    using Utf8 = boost::nowide::utf::utf_traits<char>;
    const auto* position = text.begin();
    while (position != text.end()) {
        const auto* const character = position;
        const boost::nowide::utf::code_point code = Utf8::decode(position, text.end());
        if (code == boost::nowide::utf::illegal || code == boost::nowide::utf::incomplete) {
            return static_cast<std::size_t>(character - text.begin());
        }
    }
    return std::nullopt;
}

/// True when there is nothing to report.
bool is_sound(const std::string& what, std::string_view name, std::vector<Diagnostic>& diagnostics) {
    const auto place = broken_character(name);
    if (place) {
        diagnostics.push_back(
            {Severity::error, "name_not_utf8",
             fmt::format("the header is damaged: byte {} (0x{:02x}) of its {} begins no character of UTF-8, as names "
                         "are written; the payload was read where the header's sizes place it",
                         *place, static_cast<unsigned char>(name[*place]), what)});
    }
    return !place;
}

}  // namespace

bool is_overflow_node(std::string_view name) {
    constexpr std::string_view kNode = "node_opdebug";
    return name.size() == kNode.size() && std::equal(name.begin(), name.end(), kNode.begin(), [](char a, char b) {
               return std::tolower(static_cast<unsigned char>(a)) == b;
           });
}

bool header_names_overflow_dump(const container::Contents& contents) {
    return is_overflow_node(contents.op_name) ||
           std::any_of(contents.outputs.begin(), contents.outputs.end(),
                       [](const container::Tensor& tensor) { return is_overflow_node(tensor.original_op_name); });
}

void report_broken_name(const container::Contents& contents, std::vector<Diagnostic>& diagnostics) {
    if (!is_sound("op_name", contents.op_name, diagnostics)) {
        return;
    }
    for (const container::Tensor& output : contents.outputs) {
        if (!is_sound(fmt::format("original operator's name (output {})", output.index), output.original_op_name,
                      diagnostics)) {
            return;
        }
    }
}

}  // namespace opdebug::dump_stage
