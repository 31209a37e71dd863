// One list behind another.
#pragma once

#include <vector>

namespace opdebug::report {

template <class T>
void append(const std::vector<T>& more, std::vector<T>& list) {
    list.insert(list.end(), more.begin(), more.end());
}

}  // namespace opdebug::report
