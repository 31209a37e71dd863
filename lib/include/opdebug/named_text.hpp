// A text with the name that messages call it by.
#pragma once

#include <string>

namespace opdebug {
inline namespace v0 {

/// Data that the user adds to the library's own, such as the content of a JSON file and its path.
struct NamedText {
    std::string name;
    std::string text;
};

}  // namespace v0
}  // namespace opdebug
