// The first overflow of all parts for people.
#pragma once

#include <memory>

#include "merge/merged_dumps.hpp"
#include "merge/part.hpp"
#include "report/scan/scan_contents.hpp"

namespace opdebug::merge {

/// `part`: the one that holds the first overflow, which has a text of it; null: there is none. Where the part was cut,
/// or is an ordinary report, the text is made of the dump's document.
report::FirstText first_text_of(const std::shared_ptr<const Part>& part,
                                const std::shared_ptr<const MergedDumps>& dumps);

}  // namespace opdebug::merge
