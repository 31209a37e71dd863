// The files of a run as time lines: one for each step and rank, with its calls in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api_culprits/file_facts.hpp"

namespace opdebug::api_culprits {

/// The path without file name and without folders of rank and step.
std::string root_of_run(std::string_view file);

/// A finding, a call between ranks, or both, at one position of a time line.
struct Event {
    std::uint32_t file = 0;  ///< in TimeLine::files
    std::uint64_t order = 0;
    std::uint64_t call = 0;  ///< position in the file, for calls of equal order
    std::optional<std::size_t> draft;
    std::size_t transfer = 0, transfers = 0;  ///< first index and count in FileFacts::transfers
};

struct TimeLine {
    std::optional<std::uint64_t> rank, process;
    std::vector<FileFacts*> files;
    std::vector<Event> events;

    DraftFinding* draft_at(const Event& event) const {
        return event.draft ? &files[event.file]->drafts[*event.draft] : nullptr;
    }
    Transfer& transfer_at(const Event& event, std::size_t number) const {
        return files[event.file]->transfers[event.transfer + number];
    }
};

/// A step of a run; its time lines by rank, unknown ones last.
struct Step {
    std::optional<std::uint64_t> number;
    std::vector<TimeLine> lines;
};

/// Steps by number, an unknown step last.
struct Run {
    std::string root;
    std::vector<Step> steps;
};

/// The runs in order of their folders. Folders with different ranks are one run, collected from several hosts. If two
/// folders have the same rank in a step, each is a run of its own: also graph/ and pynative/ of MindSpore.
std::vector<Run> runs_of(std::vector<FileFacts>& files);

}  // namespace opdebug::api_culprits
