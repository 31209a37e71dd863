// The files of a run as time lines: one for each step and rank, with its calls in order. Matches calls between ranks
// and selects the first findings. Settles verdicts that need several calls: values of other ranks, earlier values of
// the rank, calls inside a module.
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

/// Source of an exchange's group. assumed: all ranks of the step, because no dump contains it and each rank has as many
/// calls of the API. unknown: neither, so the exchange has only one side.
enum class GroupSource { dumped, assumed, unknown };

/// One collective call of a group, or one message.
struct Exchange {
    struct Side {
        std::uint32_t line = 0;    ///< in Step::lines
        std::uint32_t event = 0;   ///< in TimeLine::events
        std::uint32_t number = 0;  ///< index in the event's transfers
    };
    Flow flow = Flow::everyone;  ///< send: one message
    std::optional<std::int64_t> root;
    std::uint32_t group = 0;
    GroupSource group_source = GroupSource::dumped;
    std::vector<Side> sides;
};

struct Exchanges {
    std::vector<Exchange> all;
    std::vector<std::vector<std::int64_t>> group_ranks;  ///< by Exchange::group; empty: unknown
};

/// Sets Transfer::exchange. Linear in the number of calls. The key of a collective is its group, its API, and its index
/// in the group on each rank. The key of a message is group, sender, receiver, tag and index.
Exchanges exchanges_of(const Step& step);

inline Transfer& transfer_of(const Step& step, const Exchange::Side& side) {
    const TimeLine& line = step.lines[side.line];
    return line.transfer_at(line.events[side.event], side.number);
}

inline DraftFinding* draft_of(const Step& step, const Exchange::Side& side) {
    const TimeLine& line = step.lines[side.line];
    return line.draft_at(line.events[side.event]);
}

/// Whether a side gives values to others, and whether it takes some.
bool gives(const Step& step, const Exchange& exchange, const Exchange::Side& side);

bool takes(const Step& step, const Exchange& exchange, const Exchange::Side& side);

/// Participating ranks whose call is not in the files.
std::vector<std::int64_t> missing_ranks(const Step& step, const Exchanges& exchanges, const Exchange& exchange);

/// Bad results of calls between ranks: inherited from the giving rank, or made by the call.
void settle_exchanges(const Step& step, const Exchanges& exchanges);

/// Calls with inputs measured after the call, and gradients: decided by earlier values of their rank.
void settle_by_earlier(const Step& step);

/// Follows only values inside each file: values that such a call gave to other ranks keep their verdict. For steps with
/// settled exchanges.
void settle_masks(const Step& step);

/// A module that made a bad value inherits it if a call inside it shows one. construct.json next to the dump contains
/// the nesting; it is read only if it may change a verdict. Error: interrupted.
std::optional<Error> settle_modules(FileFacts& facts, const ApiReadOptions& options);

/// The first finding of a time line.
struct First {
    const Step* step = nullptr;
    const TimeLine* line = nullptr;
    const FileFacts* file = nullptr;
    DraftFinding* draft = nullptr;
};

/// The earliest findings of a step, by rank.
struct Earliest {
    std::vector<First> events;
    bool contradiction = false;  ///< calls wait for each other in a cycle
};

/// The first finding that counts of each time line without one before it. Linear in the number of events.
Earliest earliest_of(const Step& step, const Exchanges& exchanges, bool (*counts)(const DraftFinding&));

struct Answer {
    std::vector<First> first;
    std::vector<Diagnostic> diagnostics;
};

/// Settles the verdicts of the run and returns its earliest culprits: those of the first step with a culprit, with no
/// bad value before them. Calls that made a bad value precede calls that only show one.
Answer answer_of(Run& run);

/// Adds stacks and modules to the first culprits of the answer, and to `report` a warning for each unreadable file.
/// Only for these, because such files can have 100 MB.
void add_surroundings(const Answer& answer, const ApiOptions& options, ApiReport& report);

}  // namespace opdebug::api_culprits
