#include "c_interface/shown.hpp"

#include <opdebug/report.hpp>

namespace opdebug::c_interface {

std::string shown(std::string_view given) {
    constexpr std::size_t kMost = 200;
    constexpr unsigned kContinuation = 0x80, kContinuationMask = 0xC0;  // of UTF-8: RFC 3629
    if (given.size() <= kMost) {
        return printable(given);
    }
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(given[end]) & kContinuationMask) == kContinuation) {
        --end;  // not in the middle of a character
    }
    return printable(given.substr(0, end)) + "...";
}

}  // namespace opdebug::c_interface
