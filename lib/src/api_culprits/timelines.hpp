// The files of a run as time lines: one for each step and rank, its calls in order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api_culprits/file_facts.hpp"

namespace opdebug::api_culprits {

/// MindSpore writes what runs as a graph and what runs call by call side by side: {dump_path}/graph/step{N}/… and
/// {dump_path}/pynative/step{N}/… are two halves of one run.
struct RunRoot {
    std::string folder;
    std::string half;  ///< "graph" or "pynative" where the other lies beside it; else empty
};

/// The path without file name, folders of rank and step.
std::string root_of_run(std::string_view file);

/// Of each file. The folder is the path without file name, half, folders of rank and step.
std::vector<RunRoot> run_roots_of(const std::vector<FileFacts>& files);

/// What happened at one place of a time line: a finding, a call between ranks, or both.
struct Event {
    std::uint32_t file = 0;  ///< in TimeLine::files
    std::uint64_t order = 0;
    std::uint64_t call = 0;  ///< position in the file: among calls of the same order it decides
    std::optional<std::size_t> draft;
    std::size_t transfer = 0, transfers = 0;  ///< first, and how many, in FileFacts::transfers
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
    std::string half;  ///< of a step that MindSpore wrote in two halves (RunRoot); no calls join these
    std::vector<TimeLine> lines;
};

/// Steps by number, an unknown one last, halves of one behind the other.
struct Run {
    std::string root;
    std::vector<Step> steps;
};

/// The runs in order of their folders. Folders with different ranks are one run, collected from several hosts; where
/// two have the same rank of a step, each is a run of its own.
std::vector<Run> runs_of(std::vector<FileFacts>& files);

}  // namespace opdebug::api_culprits
