// A dump.json to its calls.
#include <memory>

#include <opdebug/api_dump.hpp>

#include "api_dump_builder.hpp"
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

}  // namespace

std::vector<Stage> api_dump_stages() {
    return {{"api_dump.msprobe", prepare_reading}};
}

}  // namespace opdebug::bench
