// A dump.json to its calls, and the dumps of several ranks to their first culprits.
#include <memory>

#include <opdebug/api_culprits.hpp>

#include "api_dump_builder.hpp"
#include "api_dumps.hpp"
#include "stages.hpp"
#include "temporary_directory.hpp"

namespace opdebug::bench {
namespace {

Run prepare_reading() {
    const auto folder = std::make_shared<test::TemporaryDirectory>();
    const std::string path =
        test::write_file(folder->path() / "dump.json", dump_json(test::language_model_step(500, 1)));
    return [folder, path]() -> std::uint64_t {
        std::uint64_t values = 0;
        const auto file = read_api_dump(path, {}, [&values](ApiEntry&& entry) { values += entry.values.size(); });
        return file ? values : 0;
    };
}

/// Half of the calls are clean, the others show NaN; what reading them takes is in api_dump.msprobe.
Run prepare_judging() {
    const auto folder = std::make_shared<test::TemporaryDirectory>();
    write_api_dumps(folder->path().string(), {2, 400, 201});
    return [folder]() -> std::uint64_t {
        ApiOptions options;
        options.threads = 1;
        const auto report = find_api_culprits({folder->path().string()}, options);
        return report && report->first.size() == 2 ? report->findings.size() : 0;
    };
}

}  // namespace

std::vector<Stage> api_dump_stages() {
    return {{"api_dump.msprobe", prepare_reading}, {"api_culprits.two_ranks", prepare_judging}};
}

}  // namespace opdebug::bench
