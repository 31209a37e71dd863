// Paths → the dumps below them, by name.
#include <functional>
#include <vector>

#include <opdebug/opdebug.h>
#include <opdebug/scan.hpp>

#include "c_interface/error.hpp"
#include "c_interface/options.hpp"
#include "c_interface/stop.hpp"
#include "report/json/json_parts.hpp"
#include "scan/dump_tree.hpp"

struct opdebug_files {
    std::vector<std::string> paths;
    std::vector<opdebug::Error> failures;
    std::vector<opdebug::Diagnostic> diagnostics;
};

namespace opdebug::c_interface {
namespace {

Result<opdebug_files*> find_files(const char* const* paths, std::size_t count, const char* options_text, Stop& stop) {
    const Result<Options> options = read_options(options_text, finding);
    if (!options) {
        return options.error();
    }
    const Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    ScanOptions scan_options;
    scan_options.decode.limits = options->limits;
    scan_options.stop = std::ref(stop);
    const Result<DumpTree> tree = find_dump_tree(*all, scan_options);
    if (!tree) {
        return tree.error();
    }
    if (stop.gave_up()) {
        return interrupted_while("folders were read");
    }
    const tree::Walk& found = tree->contents().found;
    return new opdebug_files{files_of(*tree), found.failures, found.diagnostics};
}

}  // namespace
}  // namespace opdebug::c_interface

using namespace opdebug::c_interface;

opdebug_files* opdebug_find_dumps(const char* const* paths, size_t count, opdebug_stop* stop, void* stop_data,
                                  opdebug_error** error) {
    return opdebug_find_dumps_with_options(paths, count, nullptr, stop, stop_data, error);
}

opdebug_files* opdebug_find_dumps_with_options(const char* const* paths, size_t count, const char* options,
                                               opdebug_stop* stop, void* stop_data, opdebug_error** error) {
    return guarded<opdebug_files>(error, [&] {
        Stop asked(stop, stop_data);
        return find_files(paths, count, options, asked);
    });
}

const char* opdebug_files_path(const opdebug_files* files, size_t index) {
    return files == nullptr || index >= files->paths.size() ? nullptr : files->paths[index].c_str();
}

char* opdebug_files_to_json(const opdebug_files* files, opdebug_error** error) {
    return guarded_text(error, [&]() -> opdebug::Result<std::string> {
        if (files == nullptr) {
            return null_argument("files");
        }
        opdebug::ReportOptions one_line;
        one_line.one_line = true;
        return opdebug::report::files_to_json(files->paths, files->failures, files->diagnostics, one_line);
    });
}

void opdebug_files_free(opdebug_files* files) {
    delete files;
}
