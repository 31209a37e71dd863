#include "scan/rivals.hpp"

#include <fmt/format.h>

namespace opdebug::scan_stage {

std::string show_dump(const std::string& host, const ScanItem& item) {
    return host.empty() ? item.file : host + ":" + item.file;
}

void Rivals::add(const std::string& dump, const std::string& remark) {
    if (count < kMostNames) {
        names +=
            fmt::format("{}{}{}", names.empty() ? "" : ", ", dump, remark.empty() ? "" : fmt::format(" ({})", remark));
        ++count;
    } else {
        add_nameless(1);
    }
}

void Rivals::add(const std::string& host, const ScanItem& item, const std::string& remark) {
    if (count < kMostNames) {
        add(show_dump(host, item), remark);
    } else {
        add_nameless(1);
    }
}

void Rivals::add_nameless(std::size_t further) {
    if (further != 0 && count <= kMostNames) {
        names += " and others";
    }
    count += further;
}

}  // namespace opdebug::scan_stage
