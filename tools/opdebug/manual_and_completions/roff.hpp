// Text as roff reads it: what would be a request or an escape is taken literally.
#pragma once

#include <string>
#include <string_view>

namespace opdebug::tool::roff {

/// In a line or in an argument of a macro. Dashes stay the character that can be copied into a shell.
std::string escaped(std::string_view text);

std::string bold(std::string_view text);
std::string italic(std::string_view text);

/// A usage line: names and options bold, what stands for something else in italics.
std::string usage(std::string_view text);

}  // namespace opdebug::tool::roff
