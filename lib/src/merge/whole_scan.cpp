#include "merge/whole_scan.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "report/text/joined_lists.hpp"
#include "scan/totals.hpp"

namespace opdebug::merge {
namespace {

using report::PartFacts;

/// Each as often as one scan has it.
class Inputs {
public:
    explicit Inputs(std::vector<std::string>& all) : all_(all) {}

    void add(const std::vector<std::string>& of_scan) {
        std::map<std::string_view, std::size_t> here;
        for (const std::string& input : of_scan) {
            std::size_t& there = counts_[input];
            if (++here[input] > there) {
                ++there;
                all_.push_back(input);
            }
        }
    }

private:
    std::vector<std::string>& all_;
    std::map<std::string, std::size_t> counts_;
};

/// Remarks, each once. Those on logs stand behind those on dumps.
class Remarks {
public:
    void add(const std::vector<Diagnostic>& diagnostics) {
        constexpr std::string_view kOfLogs = "logs_cut_off";
        for (const Diagnostic& remark : diagnostics) {
            (remark.code == kOfLogs ? of_logs : of_dumps).insert(remark);
        }
    }

    report::RemarksOnce of_dumps, of_logs;
};

void add_counts(const PartFacts& facts, Scan& scan) {
    scan.counts.dumps += facts.unlisted_overflowed + facts.unlisted_clean;
    scan.counts.overflowed += facts.unlisted_overflowed;
    scan.counts.clean += facts.unlisted_clean;
    scan.counts.op_dumps += facts.op_dumps;
    scan.counts.other_files += facts.other_files;
    scan.complete = scan.complete && facts.complete;
    scan_stage::add_damage(facts.damage, scan.damage);
}

}  // namespace

void put_together(const std::vector<PartFacts>& parts, Scan& scan) {
    Inputs inputs(scan.inputs);
    Remarks remarks;
    for (const PartFacts& facts : parts) {
        inputs.add(facts.name.inputs);
        add_counts(facts, scan);
        scan.failures.insert(scan.failures.end(), facts.failures.begin(), facts.failures.end());
        remarks.add(facts.diagnostics);
    }
    std::stable_sort(scan.failures.begin(), scan.failures.end(),
                     [](const Error& a, const Error& b) { return a.file < b.file; });
    scan.dumps_found = scan.counts.dumps + scan.damage.not_read;
    report::append(remarks.of_dumps.all(), scan.diagnostics);
    const bool stopped = scan.damage.not_read != 0 || !scan.damage.every_folder_searched;
    scan_stage::tell_damage(scan.damage, scan.complete || !stopped, scan.diagnostics);
    for (const PartFacts& facts : parts) {  // of ordinary parts: they are told already, equal ones once
        for (const Diagnostic& told : facts.diagnostics) {
            scan_stage::add_told_damage(told, scan.damage);
        }
    }
    report::append(remarks.of_logs.all(), scan.diagnostics);
}

}  // namespace opdebug::merge
