#include "dump/header_names.hpp"

#include <optional>
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

/// True when there is nothing to report. `what` says which name it is, and is asked only then.
template <class What>
bool is_sound(std::string_view name, const What& what, std::vector<Diagnostic>& diagnostics) {
    const auto place = broken_character(name);
    if (place) {
        diagnostics.push_back(
            {Severity::error, "name_not_utf8",
             fmt::format("the header is damaged: byte {} (0x{:02x}) of its {} begins no character of UTF-8, as names "
                         "are written; the payload was read where the header's sizes place it",
                         *place, static_cast<unsigned char>(name[*place]), what())});
    }
    return !place;
}

}  // namespace

void report_broken_name(const container::Contents& contents, std::vector<Diagnostic>& diagnostics) {
    if (!is_sound(
            contents.op_name, [] { return "op_name"; }, diagnostics)) {
        return;
    }
    for (const container::Tensor& output : contents.outputs) {
        const auto what = [&output] { return fmt::format("original operator's name (output {})", output.index); };
        if (!is_sound(output.original_op_name, what, diagnostics)) {
            return;
        }
    }
}

}  // namespace opdebug::dump_stage
