// Texts in both languages as members of data files.
#pragma once

#include <opdebug/dump.hpp>

#include "json/node.hpp"

namespace opdebug::status {

/// {"en": ..., "zh": ...}; both are required.
inline LocalizedText read_localized(const json_stage::Node& node) {
    node.only({"en", "zh"});
    return {node.member("en").text(), node.member("zh").text()};
}

}  // namespace opdebug::status
