// Reports → one report: parts are opened, their dumps gone through once for what all show together, and read again when
// the report is written.
#include <opdebug/merge.hpp>

#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <opdebug/chains.hpp>

#include "merge/merged_dumps.hpp"
#include "merge/ordinary_parts.hpp"
#include "merge/part.hpp"
#include "merge/part_set.hpp"
#include "report/scan_contents.hpp"
#include "scan/damage.hpp"
#include "scan/overview_builder.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using merge::MergedDumps;
using merge::Part;
using merge::PartNotes;
using merge::PassNotes;
using report::PartFacts;

using Parts = std::vector<std::shared_ptr<Part>>;

/// How many parts stay open: more than these bring nothing, and half of what the process may have open is for others:
/// the report, temporary files, further parts.
std::size_t open_files() {
    constexpr std::size_t kEnough = 100;
    struct rlimit limit {};
    const bool is_known = ::getrlimit(RLIMIT_NOFILE, &limit) == 0;
    return is_known ? static_cast<std::size_t>(std::min<std::uint64_t>(limit.rlim_cur / 2, kEnough)) : 0;
}

/// The inside of the report, and what the merge found out on the way.
struct Merging {
    explicit Merging(const ScanReportOptions& options) : contents(std::make_unique<ScanReport::Contents>(options)) {}

    std::unique_ptr<ScanReport::Contents> contents;
    Parts parts;
    std::vector<Diagnostic> diagnostics;  ///< on the parts
    MergeCounts counts;
    std::shared_ptr<MergedDumps> dumps;
    PassNotes notes;
    std::shared_ptr<const Part> of_first;  ///< the part that holds the first overflow
};

/// Error: write_failed, of the temporary folder.
std::optional<Error> open_parts(const std::vector<MergeInput>& inputs, Merging& merging) {
    const auto unpacked = std::make_shared<report::DocumentStore>(merging.contents->options.temporary_folder, 0);
    for (const MergeInput& input : inputs) {
        ++merging.counts.given;
        Result<Part> part = merge::open_part(input, unpacked);
        if (part) {
            merging.parts.push_back(std::make_shared<Part>(std::move(*part)));
        } else if (part.error().code == ErrorCode::write_failed) {
            return std::move(part.error());
        } else {
            ++merging.counts.unusable;
            merging.diagnostics.push_back({Severity::error, "part_unusable", to_string(part.error())});
        }
    }
    const std::size_t usable = merging.parts.size();
    merge::check_repeated(merging.parts);
    merge::leave_out_repeated(merging.parts, merging.diagnostics);
    merge::put_in_order(merging.parts);
    merging.counts.merged = merging.parts.size();
    merging.counts.repeated = usable - merging.parts.size();
    const std::size_t open = std::min(merging.parts.size(), open_files());
    for (std::size_t i = 0; i < open; ++i) {
        merging.parts[i]->text.stay_open();
    }
    return std::nullopt;
}

/// What the timeline of all can show is what the timelines of all parts show. Behind the pass: only then is it known
/// what ordinary reports list.
void take_options(Merging& merging) {
    ScanReportOptions& options = merging.contents->options;
    bool any_all = false, any_not_all = false, any_tensors = false;
    for (const auto& part : merging.parts) {
        any_all = any_all || part->head.all.value_or(false);
        any_not_all = any_not_all || !part->head.all.value_or(true);
        any_tensors = any_tensors || part->head.tensors;
        if (part->head.first) {
            options.first = std::min(options.first.value_or(*part->head.first), *part->head.first);
        }
    }
    options.all = any_all && !any_not_all;
    if ((any_all && any_not_all) || any_tensors != options.report.tensors) {
        merging.diagnostics.push_back(
            {Severity::warning, "parts_differ",
             "not all parts were scanned with the same of --all and --tensors: the report has what all of them have"});
    }
}

void count(DumpState state, ScanCounts& counts) {
    ++counts.dumps;
    ++(state == DumpState::overflowed ? counts.overflowed : state == DumpState::clean ? counts.clean : counts.failed);
}

void tell_repeated(Merging& merging) {
    const auto& [repeated, differing] = std::tie(merging.notes.repeated, merging.notes.differing);
    merging.counts.repeated_dumps = repeated.count;
    if (repeated.count != 0) {
        merging.diagnostics.push_back(
            {Severity::warning, "dumps_repeated",
             fmt::format("{} dump{} in several parts, and counted once: {}{}; other files and operator dumps may be "
                         "counted twice",
                         repeated.count, repeated.count == 1 ? " is" : "s are", repeated.first,
                         repeated.count == 1 ? "" : " and others")});
    }
    if (differing.count != 0) {
        merging.diagnostics.push_back(
            {Severity::warning, "dumps_repeated",
             fmt::format(
                 "{} dump{} the path and time of one in another part, but not its content: {}{}; they are taken "
                 "for dumps of different hosts, and all are counted. Scan with --host to tell hosts apart",
                 differing.count, differing.count == 1 ? " has" : "s have", differing.first,
                 differing.count == 1 ? "" : " and others")});
    }
}

void go_through(Merging& merging) {
    ScanReport::Contents& contents = *merging.contents;
    scan_stage::OverviewBuilder overview;
    std::vector<ScanItem> overflowed;
    merging.dumps->each(
        [&](const report::DumpInOrder& dump, std::size_t part) {
            const ScanItem& item = dump.entry.item;
            count(item.state, contents.scan.counts);
            overview.add(item);
            if (item.state == DumpState::overflowed) {
                merging.of_first = merging.of_first ? merging.of_first : merging.parts[part];
                if (contents.options.report.tensors) {
                    overflowed.push_back(item);
                }
            }
            return true;
        },
        merging.notes);
    for (std::size_t i = 0; i < merging.parts.size(); ++i) {
        merging.parts[i]->checked = merging.notes.parts[i];
    }
    contents.overview = overview.finish();
    if (contents.options.report.tensors) {
        contents.chains = chains_of(overflowed);
    }
    tell_repeated(merging);
}

std::string cut_message(const Part& part, std::uint64_t dumps, const std::string& fault) {
    if (part.end) {
        return fmt::format("{} is damaged, {}: the others are missing; write or copy it again", part.name, fault);
    }
    const std::string why = part.damage.empty() ? fault : part.damage;
    return fmt::format(
        "{} ends early{}{}: its {} whole dump{} used, further ones may be missing, and its other files and "
        "failures are not known; write or copy it again",
        part.name, why.empty() ? "" : ": ", why, dumps, dumps == 1 ? " is" : "s are");
}

template <class Item, class Same>
void add_once(const Item& item, std::vector<Item>& items, Same same) {
    if (std::none_of(items.begin(), items.end(), [&](const Item& other) { return same(item, other); })) {
        items.push_back(item);
    }
}

bool is_same(const Diagnostic& a, const Diagnostic& b) {
    return a.severity == b.severity && a.code == b.code && a.message == b.message;
}

/// What the parts of a part tell of their scans, with what is wrong with it.
std::vector<PartFacts> facts_of(const Part& part, const PartNotes& notes, Merging& merging) {
    std::vector<PartFacts> facts = part.end ? part.end->parts : std::vector<PartFacts>(part.head.parts.size());
    for (std::size_t i = 0; i < facts.size(); ++i) {
        facts[i].name = part.head.parts[i];
    }
    if (!part.end || !notes.fault.empty()) {
        // Told of each scan: the whole part of one may be there besides, and takes its place.
        for (PartFacts& of_scan : facts) {
            of_scan.name.cut = merge::extent_of(part, of_scan.name);
            of_scan.diagnostics.push_back({Severity::error, "part_cut", cut_message(part, notes.dumps, notes.fault)});
        }
    } else if (part.head.ordinary) {
        const merge::Unlisted unlisted = merge::unlisted_of(part, notes);
        facts.front().unlisted_overflowed = unlisted.overflowed;
        facts.front().unlisted_clean = unlisted.clean;
        for (const Diagnostic& doubt : part.ordinary_end.doubts) {
            // Those that are not listed may be what is in doubt.
            const std::vector<Diagnostic>& known = merging.contents->overview.diagnostics;
            if (unlisted.overflowed != 0 && std::none_of(known.begin(), known.end(), [&](const Diagnostic& other) {
                    return is_same(doubt, other);
                })) {
                facts.front().diagnostics.push_back(doubt);
            }
        }
    }
    return facts;
}

/// The scans of which a part tells all.
std::set<std::string> whole_ids(const Parts& parts) {
    std::set<std::string> ids;
    for (const auto& part : parts) {
        for (const report::PartName& name : part->head.parts) {
            if (!merge::extent_of(*part, name)) {
                ids.insert(name.id);
            }
        }
    }
    return ids;
}

/// Each once, the whole one before one that was cut; two of one shard that are not the same are told, and the first
/// counts.
void gather_facts(Merging& merging) {
    std::set<std::string> ids;
    const std::set<std::string> whole = whole_ids(merging.parts);
    std::set<std::tuple<std::vector<std::string>, std::uint64_t, std::uint64_t, std::string>> shards;
    for (std::size_t i = 0; i < merging.parts.size(); ++i) {
        const Part& part = *merging.parts[i];
        bool is_cut = false;
        for (PartFacts& facts : facts_of(part, merging.notes.parts[i], merging)) {
            const auto& shard = facts.name.shard;
            if ((facts.name.cut && whole.count(facts.name.id) != 0) || !ids.insert(facts.name.id).second) {
                continue;
            }
            if (shard &&
                !shards.emplace(facts.name.inputs, shard->count, shard->index, facts.name.tree.digest).second) {
                merging.diagnostics.push_back(
                    {Severity::warning, "part_repeated",
                     fmt::format("{} holds shard {} of {}, which another part holds with other content: its dumps that "
                                 "the other one has count once",
                                 part.name, shard->index, shard->count)});
                continue;
            }
            is_cut = is_cut || facts.name.cut;
            merging.contents->parts.push_back(std::move(facts));
        }
        merging.counts.cut += is_cut ? 1U : 0U;
    }
}

/// The scan of which all parts are parts.
void put_scan_together(Merging& merging) {
    Scan& scan = merging.contents->scan;
    std::map<std::string, std::size_t> inputs;   // each as often as a scan has it
    const char* const kOfLogs = "logs_cut_off";  // stands behind the remarks on dumps
    std::vector<Diagnostic> behind;
    for (const PartFacts& facts : merging.contents->parts) {
        std::map<std::string, std::size_t> here;
        for (const std::string& input : facts.name.inputs) {
            if (++here[input] > inputs[input]) {
                ++inputs[input];
                scan.inputs.push_back(input);
            }
        }
        scan.counts.dumps += facts.unlisted_overflowed + facts.unlisted_clean;
        scan.counts.overflowed += facts.unlisted_overflowed;
        scan.counts.clean += facts.unlisted_clean;
        scan.counts.op_dumps += facts.op_dumps;
        scan.counts.other_files += facts.other_files;
        scan.complete = scan.complete && facts.complete;
        scan_stage::add_damage(facts.damage, scan.damage);
        scan.failures.insert(scan.failures.end(), facts.failures.begin(), facts.failures.end());
        for (const Diagnostic& diagnostic : facts.diagnostics) {
            add_once(diagnostic, diagnostic.code == kOfLogs ? behind : scan.diagnostics, is_same);
        }
    }
    std::stable_sort(scan.failures.begin(), scan.failures.end(),
                     [](const Error& a, const Error& b) { return a.file < b.file; });
    scan.dumps_found = scan.counts.dumps + scan.damage.not_read;
    const bool stopped = scan.damage.not_read != 0 || !scan.damage.every_folder_searched;
    scan_stage::tell_damage(scan.damage, scan.complete || !stopped, scan.diagnostics);
    scan.diagnostics.insert(scan.diagnostics.end(), behind.begin(), behind.end());
}

void tell_of_parts(Merging& merging) {
    ScanReport::Contents& contents = *merging.contents;
    if (contents.options.partial) {
        // The one that merges it again tells what is missing, and what was wrong here.
        const auto whole = std::find_if(contents.parts.begin(), contents.parts.end(),
                                        [](const PartFacts& facts) { return !facts.name.cut; });
        std::vector<Diagnostic>& kept = (whole == contents.parts.end() ? contents.parts.begin() : whole)->diagnostics;
        kept.insert(kept.end(), merging.diagnostics.begin(), merging.diagnostics.end());
    } else {
        merging.counts.missing = merge::tell_missing(merging.parts, merging.diagnostics);
    }
    Scan& scan = contents.scan;
    const MergeCounts& counts = merging.counts;
    const bool trees_differ = std::any_of(merging.diagnostics.begin(), merging.diagnostics.end(),
                                          [](const Diagnostic& told) { return told.code == "trees_differ"; });
    scan.complete = scan.complete && !trees_differ && counts.missing == 0 && counts.cut == 0 && counts.unusable == 0;
    scan.diagnostics.insert(scan.diagnostics.end(), merging.diagnostics.begin(), merging.diagnostics.end());
}

/// What is left of the first overflow where its part has no text of it: what its document or its line tells.
std::string made_first_text(const MergedDumps& dumps, Language language) {
    std::string text;
    (void)dumps.each([&](const report::DumpInOrder& dump) {
        if (dump.entry.item.state != DumpState::overflowed) {
            return true;
        }
        const Result<std::string_view> document = dump.text(report::KeptText::document);
        const auto read = document ? report::read_record_document(*document) : std::nullopt;
        ReportOptions options;
        options.language = language;
        text = read ? record_to_text(*read->scanned.dump, read->scanned.location, options)
                    : printable(dump.entry.item.file) + "\n";
        return false;
    });
    return text;
}

/// The part's own text of it, where it has one.
report::FirstText first_text_of(const Merging& merging) {
    const std::shared_ptr<const Part> part = merging.of_first;
    return [part, dumps = merging.dumps](Language language) -> std::string {
        if (!part) {
            return {};
        }
        if (part->end && !part->head.ordinary) {
            return language == Language::chinese ? part->end->first_chinese : part->end->first_english;
        }
        return made_first_text(*dumps, language);
    };
}

}  // namespace

Result<Merge> merge_reports(const std::vector<MergeInput>& inputs, const MergeOptions& options) {
    Merging merging(options.report);
    if (std::optional<Error> error = open_parts(inputs, merging)) {
        return *std::move(error);
    }
    if (merging.parts.empty()) {
        return Error{ErrorCode::invalid_argument,
                     merging.diagnostics.empty() ? "no report was given to merge"
                                                 : "no report can be merged: " + merging.diagnostics.front().message,
                     "", std::nullopt};
    }
    ScanReportOptions& shown = merging.contents->options;
    shown.report.tensors =
        std::all_of(merging.parts.begin(), merging.parts.end(), [](const auto& part) { return part->head.tensors; });
    merging.dumps = std::make_shared<MergedDumps>(
        std::vector<std::shared_ptr<const Part>>(merging.parts.begin(), merging.parts.end()), shown.report.tensors);
    go_through(merging);
    for (std::size_t i = 0; i < merging.parts.size(); ++i) {
        merge::learn_options(*merging.parts[i], merging.notes.parts[i]);
    }
    merge::tell_ordinary(merging.parts, merging.notes.parts, merging.diagnostics);
    take_options(merging);
    gather_facts(merging);
    put_scan_together(merging);
    tell_of_parts(merging);
    merging.contents->merged = merging.dumps;
    merging.contents->first_text = first_text_of(merging);
    Scan scan = merging.contents->scan;
    return Merge{ScanReport(std::move(merging.contents)), std::move(scan), merging.counts};
}

}  // namespace v0
}  // namespace opdebug
