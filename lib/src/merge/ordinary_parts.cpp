#include "merge/ordinary_parts.hpp"

#include <string>

#include <fmt/format.h>

#include "bytes/counted.hpp"

namespace opdebug::merge {
namespace {

std::uint64_t more(std::uint64_t counted, std::uint64_t listed) {
    return counted > listed ? counted - listed : 0;
}

std::string counted(std::uint64_t count, const char* kind, const char* which) {
    return fmt::format("{} {} dump{} {} {} counted", count, kind, count == 1 ? "" : "s", which,
                       count == 1 ? "is" : "are");
}

/// What is missing, in parts of a sentence; empty: nothing that is known of.
std::string losses(const Unlisted& unlisted, bool tensors, bool api) {
    std::string text;
    const auto add = [&text](const std::string& loss) { text += (text.empty() ? "" : "; ") + loss; };
    if (unlisted.overflowed != 0) {
        add(counted(unlisted.overflowed, "overflowed", "that --first left out") + ", but in no group");
    }
    if (unlisted.clean != 0) {
        add(counted(unlisted.clean, "clean", "without a document (scan without --all)") +
            ", but ranks, devices and steps, to which groups compare, are not known of them");
    }
    if (tensors) {
        add("what the dumps of operators did not show is not known, so remarks on chains may be missing");
    }
    if (api) {
        add("its overflow dumps are not tied to API calls");
    }
    return text;
}

}  // namespace

Unlisted unlisted_of(const Part& part, const PartNotes& notes) {
    if (!part.head.ordinary || !part.end || !notes.fault.empty()) {
        return {};
    }
    const ScanCounts& counts = part.ordinary_end.counts;
    return {more(counts.overflowed, notes.overflowed), more(counts.clean, notes.clean)};
}

void learn_options(Part& part, const PartNotes& notes) {
    if (!part.head.ordinary) {
        return;
    }
    const Unlisted unlisted = unlisted_of(part, notes);
    if (notes.clean + unlisted.clean != 0) {
        part.head.all = notes.clean != 0;
    }
    if (unlisted.overflowed != 0 || (notes.clean != 0 && unlisted.clean != 0)) {
        part.head.first = notes.overflowed + notes.clean;
    }
}

void tell_ordinary(const std::vector<std::shared_ptr<Part>>& parts, const std::vector<PartNotes>& notes,
                   std::vector<Diagnostic>& diagnostics) {
    Unlisted unlisted;
    std::uint64_t count = 0;
    std::string first;
    bool tensors = false, api = false;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const Part& part = *parts[i];
        if (!part.head.ordinary) {
            continue;
        }
        first = count++ == 0 ? part.name : first;
        const Unlisted of_part = unlisted_of(part, notes[i]);
        unlisted.overflowed += of_part.overflowed;
        unlisted.clean += of_part.clean;
        tensors = tensors || part.head.tensors;
        api = api || part.ordinary_end.facts.api;
    }
    if (count == 0) {
        return;
    }
    const std::string lost = losses(unlisted, tensors, api);
    diagnostics.push_back(
        {lost.empty() ? Severity::info : Severity::warning, "part_is_ordinary",
         fmt::format("{} of {} {} not written to be merged ({}{}): what merging needs was taken from {} "
                     "documents{}{}. scan with --host or --shard writes reports that tell all",
                     count, bytes::counted(parts.size(), "report"), count == 1 ? "was" : "were", first,
                     count == 1 ? "" : " and others", count == 1 ? "its" : "their", lost.empty() ? "" : ". ", lost)});
}

}  // namespace opdebug::merge
