// Everything that is stated to be thread-safe, used by many threads at once on shared objects. ThreadSanitizer sees
// what the answers alone would not show.
#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <opdebug/report.hpp>

#include "build_paths.hpp"
#include "demo_dump.hpp"
#include "dump_builder.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr std::size_t kThreads = 8;
constexpr std::size_t kRounds = 14;
constexpr std::uint64_t kFloat16 = 2;  // DumpData's number

/// What the threads share.
struct Shared {
    std::string tree;
    std::string dump;
    std::string op_dump;
    std::string logs;
    std::shared_ptr<const TaskMap> task_map;
    std::shared_ptr<OpDumpFolders> folders = std::make_shared<OpDumpFolders>();
    std::shared_ptr<const DumpTree> found;
};

using Work = std::string (*)(const Shared&);

std::string decoded_and_located(const Shared& shared) {
    const Result<Dump> dump = decode_file(shared.dump);
    if (!dump) {
        return to_string(dump.error());
    }
    LocateOptions options;
    options.task_map = shared.task_map;
    options.folders = shared.folders;
    return record_to_json(*dump, locate(*dump, options));
}

std::string scanned(const Shared& shared) {
    ScanOptions options;
    options.threads = 3;
    options.tensors = true;
    options.locate.task_map = shared.task_map;
    ScanReport report;
    const Scan scan = opdebug::scan(*shared.found, options, [&](const ScannedDump& dump) { report.add(dump); });
    std::string text;
    const auto append = [&text](std::string_view piece) {
        text += piece;
        return true;
    };
    if (report.finish(scan) || report.write_json(append)) {
        return "the report failed";
    }
    return text;
}

std::string found(const Shared& shared) {
    const Result<DumpTree> tree = find_dump_tree({shared.tree});
    return tree ? std::to_string(files_of(*tree).size()) : to_string(tree.error());
}

std::string read_and_saved(const Shared& shared) {
    ReadLogsOptions options;
    options.threads = 3;
    options.buffer_size = 512;
    const Result<ReadLogs> logs = read_logs({shared.logs}, options);
    if (!logs) {
        return to_string(logs.error());
    }
    const Result<IndexedLogs> indexed = index_logs({shared.logs}, options);
    return indexed ? indexed->map + logs_to_json(*logs) : to_string(indexed.error());
}

std::string measured(const Shared& shared) {
    const Result<OpDump> dump = measure_op_dump(shared.op_dump);
    return dump ? tensors_to_json(*dump) : to_string(dump.error());
}

std::string explained(const Shared&) {
    std::vector<StatusExplanation> all;
    for (std::uint64_t status = 0; status < 64; ++status) {
        all.push_back(*decode_status(Unit::ai_core, {status * 0x101}));
    }
    return status_to_json(all);
}

std::string listed(const Shared&) {
    return std::to_string(list_log_formats()->size());
}

/// Four ranks, each with a dump of the demonstration's task and the operator's own, and the demonstration's logs.
std::shared_ptr<const DumpTree> write_tree(const TemporaryDirectory& directory, Shared& shared) {
    DumpFile op_dump;
    op_dump.inputs = {tensor(Buffer(4096, 0x3C))};
    op_dump.outputs = {tensor(Buffer(4096, 0x7C))};
    op_dump.inputs[0].data_type = op_dump.outputs[0].data_type = kFloat16;
    for (int rank = 0; rank < 4; ++rank) {
        const std::string folder = "rank_" + std::to_string(rank) + "/20261012093000/0/bert_train/3/12/";
        shared.dump = write_file(directory / (folder + "Opdebug.Node_OpDebug.118.21.1791769287318452"), demo_dump());
        shared.op_dump = write_file(directory / (folder + "Add.net_Add.118.21.1791769287318460"), build_v2(op_dump));
    }
    const Result<DumpTree> tree = find_dump_tree({directory.path().string()});
    REQUIRE(tree.ok());
    REQUIRE(files_of(*tree).size() == 4);
    return std::make_shared<const DumpTree>(*tree);
}

}  // namespace

TEST_CASE("threads: every thread-safe function at once, on shared objects, answers as it does alone") {
    const TemporaryDirectory directory;
    Shared shared;
    shared.tree = directory.path().string();
    shared.logs = std::string(source_folder) + "/testdata/demo/logs";
    shared.found = write_tree(directory, shared);
    const Result<ReadLogs> logs = read_logs({shared.logs});
    REQUIRE(logs.ok());
    shared.task_map = logs->task_map;
    const std::vector<Work> all = {decoded_and_located, scanned, found, read_and_saved, measured, explained, listed};

    // The threads come first: what is made at its first use shall be made by several at once.
    std::vector<std::vector<std::string>> answers(kThreads, std::vector<std::string>(kRounds));
    std::atomic<bool> begin = false;
    std::vector<std::thread> threads;
    for (std::size_t thread = 0; thread < kThreads; ++thread) {
        threads.emplace_back([&, thread] {
            while (!begin) {
                std::this_thread::yield();
            }
            for (std::size_t round = 0; round < kRounds; ++round) {
                answers[thread][round] = all[(thread + round) % all.size()](shared);
            }
        });
    }
    begin = true;
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (std::size_t which = 0; which < all.size(); ++which) {
        const std::string alone = all[which](shared);
        REQUIRE_FALSE(alone.empty());
        for (std::size_t thread = 0; thread < kThreads; ++thread) {
            for (std::size_t round = 0; round < kRounds; ++round) {
                const bool same = (thread + round) % all.size() != which || answers[thread][round] == alone;
                CHECK(same);
            }
        }
    }
}
