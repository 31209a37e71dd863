// The shared cases, each with the answer that its manifest gives in words.
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "reference_data.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

struct ReferenceCase {
    const char* folder;
    const char* first;   ///< all of the first culprits
    const char* remark;  ///< code of a remark of the report; null: none is expected
};

// From msprobe/manifest.json and ptdbg/manifest.json: "right" and "expect".
constexpr ReferenceCase kReferenceCases[] = {
    {"msprobe/nested_list_input", "step 0 rank 0 Torch.cat.0.forward inherited\n", nullptr},
    {"msprobe/mask_minus_inf", "step 0 rank 0 Functional.linear.0.forward born_here\n", nullptr},
    {"msprobe/param_nan", "step 0 rank 0 Module.fc.Linear.forward.0 weight\n", nullptr},
    {"msprobe/batch_p2p", "step 0 rank 0 Functional.linear.0.forward born_here\n", nullptr},
    {"msprobe/not_feeding_comm", "step 0 rank 0 Functional.linear.0.forward born_here\n", nullptr},
    {"msprobe/two_ranks_pre",
     "step 0 rank 0 Functional.linear.0.forward born_here\nstep 0 rank 1 Functional.linear.0.forward born_here\n",
     "order_unknown"},
    {"msprobe/nan_check", "step 0 rank 0 Functional.linear.0.forward process\n", nullptr},
    {"msprobe/sat_fp16", "step 0 rank 0 Functional.linear.0.forward saturated\n", "mode_inferred"},
    {"msprobe/truncated", "step 0 rank 0 Functional.linear.0.forward born_here\n", "api_dump_cut"},
    {"msprobe/mindspore", "step 0 rank 0 Functional.relu.0.forward born_here\n", nullptr},
    {"msprobe/no_framework", "step 0 rank 0 Functional.linear.0.forward born_here\n", nullptr},
    {"msprobe/old_grad_names", "step 0 rank 0 Functional.linear.0.backward born_here\n", nullptr},
    {"ptdbg/v2_seed002", "step - rank 0 Functional_linear_145_backward born_here\n", nullptr},
    {"ptdbg/v3_step", "step 3 rank 5 Torch_matmul_12_forward inherited\n", nullptr},
    {"ptdbg/v4_sat", "step 0 rank 2 Functional_linear_145_backward saturated\n", "mode_inferred"},
    {"ptdbg/v4_process", "step 0 rank 0 Functional_gelu_7_forward process\n", nullptr},
    {"ptdbg/v6_dots", "step 0 rank 0 Functional.linear.145.backward saturated\n", nullptr},
    {"ptdbg/v5_md5", "", "no_statistics"},
    {"ptdbg/realpickle", "", nullptr}};

}  // namespace

TEST_CASE("api reference: every shared case has its right answer (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    for (const ReferenceCase& known : kReferenceCases) {
        CAPTURE(known.folder);
        const Result<ApiReport> report = find_api_culprits({(*reference / "api-dumps" / known.folder).string()});
        REQUIRE(report.ok());
        CHECK(lines_of(report->first) == known.first);
        CHECK(report->counts.failed == (std::string(known.folder) == "ptdbg/realpickle" ? 1 : 0));
        if (known.remark != nullptr) {
            CHECK(contains(codes_of(report->diagnostics), known.remark));
        }
        for (const ApiFinding& finding : report->first) {
            CHECK_FALSE(finding.stack.empty());
        }
    }
}

TEST_CASE("api reference: the real pickle is refused (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    const Result<ApiReport> report = find_api_culprits({(*reference / "api-dumps/ptdbg/realpickle").string()});
    REQUIRE(report.ok());
    REQUIRE(report->failures.size() == 1);
    CHECK(report->failures[0].code == ErrorCode::pickle_refused);
}

TEST_CASE("api reference: cases below one folder are runs of their own (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    const Result<ApiReport> report = find_api_culprits({(*reference / "api-dumps/msprobe").string()});
    REQUIRE(report.ok());
    CHECK(report->first.size() == 13);  // one of each case, two where the order of the ranks is unknown
}

namespace {

/// Where in the text each whole call ends: after the bracket that closes a member of "data".
std::vector<std::size_t> ends_of_calls(const std::string& text) {
    std::vector<std::size_t> ends;
    int depth = 0;
    bool in_text = false;
    for (std::size_t i = text.find("\"data\""); i < text.size(); ++i) {
        const char c = text[i];
        if (c == '"' && text[i - 1] != '\\') {
            in_text = !in_text;
        } else if (!in_text && (c == '{' || c == '[')) {
            ++depth;
        } else if (!in_text && (c == '}' || c == ']')) {
            if (--depth == 1) {
                ends.push_back(i + 1);
            }
        }
    }
    return ends;
}

std::string findings_of(const std::string& file) {
    const Result<ApiReport> report = find_api_culprits({file});
    REQUIRE(report.ok());
    std::string text = lines_of(report->findings);
    const bool is_cut = contains(codes_of(report->diagnostics), "api_dump_cut ");
    return text + (is_cut ? "cut\n" : report->failures.empty() ? "" : "failed\n");
}

/// What a file of the first calls states that is closed by hand, as one that is cut would state it.
std::string findings_of_calls(const std::string& text, std::size_t end, const TemporaryDirectory& folder) {
    const std::string closed = text.substr(0, end) + "}}";
    return findings_of(write_file(folder / "closed/step0/rank0/dump.json", std::string_view(closed))) + "cut\n";
}

/// Each prefix of the file has the findings of its whole calls, and states that it is cut. From the longest to the
/// shortest: a file is cut faster than written.
void check_prefixes(const std::filesystem::path& file) {
    const std::string text = read_file(file);
    const std::vector<std::size_t> ends = ends_of_calls(text);
    const TemporaryDirectory folder;
    const std::string cut = write_file(folder / "cut/step0/rank0/dump.json", std::string_view(text));
    std::size_t whole = ends.size() + 1;
    std::string expected;
    for (std::size_t size = text.find_last_not_of(" \n"); size > 0; --size) {
        CAPTURE(size);
        const auto behind = std::upper_bound(ends.begin(), ends.end(), size);
        const auto now = static_cast<std::size_t>(std::distance(ends.begin(), behind));
        if (now != whole) {
            whole = now;
            expected = whole == 0 ? "cut\n" : findings_of_calls(text, ends[whole - 1], folder);
        }
        std::filesystem::resize_file(cut, size);
        REQUIRE(findings_of(cut) == expected);
    }
}

}  // namespace

TEST_CASE("api reference: every prefix of a dump.json gives the findings of its whole calls (reference data)") {
    const auto reference = reference_data();
    if (!reference) {
        return;
    }
    std::size_t files = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*reference / "api-dumps/msprobe")) {
        if (entry.path().filename() != "dump.json") {
            continue;
        }
        CAPTURE(entry.path().string());
        ++files;
        check_prefixes(entry.path());
    }
    CHECK(files >= 15);
}
