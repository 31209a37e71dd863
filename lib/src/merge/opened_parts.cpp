#include "merge/opened_parts.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "merge/part_set.hpp"

namespace opdebug::merge {
namespace {

/// How many parts stay open: more than these bring nothing, and half of what the process may have open is for others:
/// the report, temporary files, further parts.
std::size_t open_files() {
    constexpr std::size_t kEnough = 100;
    struct rlimit limit {};
    const bool is_known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
    return is_known ? static_cast<std::size_t>(std::min<std::uint64_t>(limit.rlim_cur / 2, kEnough)) : 0;
}

}  // namespace

Result<OpenedParts> open_parts(const std::vector<MergeInput>& inputs, const std::string& temporary_folder) {
    OpenedParts opened;
    const auto unpacked = std::make_shared<report::DocumentStore>(temporary_folder, 0);
    for (const MergeInput& input : inputs) {
        Result<Part> part = open_part(input, unpacked);
        if (part) {
            opened.overflows.take(*part);
            opened.parts.push_back(std::make_shared<Part>(std::move(*part)));
        } else if (part.error().code == ErrorCode::write_failed) {
            return std::move(part.error());
        } else {
            opened.diagnostics.push_back({Severity::error, "part_unusable", to_string(part.error())});
        }
    }
    const std::size_t usable = opened.parts.size();
    check_repeated(opened.parts);
    leave_out_repeated(opened.parts, opened.diagnostics);
    put_in_order(opened.parts);
    opened.counts.given = inputs.size();
    opened.counts.merged = opened.parts.size();
    opened.counts.repeated = usable - opened.parts.size();
    opened.counts.unusable = inputs.size() - usable;
    const std::size_t open = std::min(opened.parts.size(), open_files());
    for (std::size_t i = 0; i < open; ++i) {
        opened.parts[i]->text.stay_open();
    }
    return opened;
}

}  // namespace opdebug::merge
