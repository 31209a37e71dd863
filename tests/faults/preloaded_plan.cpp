// The plan of a program that gets the interposed calls by LD_PRELOAD: OPDEBUG_FAULTS holds it, and the file that
// OPDEBUG_FAULTS_HITS names is reported at the end how many calls it touched.
#include <cstdio>
#include <cstdlib>

#include "fault_plan.hpp"

namespace {

struct PreloadedPlan {
    PreloadedPlan() {
        const char* const text = std::getenv("OPDEBUG_FAULTS");
        if (text != nullptr && !opdebug::faults::set_plan(text)) {
            std::_Exit(99);
        }
    }
    ~PreloadedPlan() {
        const unsigned long long hits = opdebug::faults::hits();
        opdebug::faults::set_plan("");
        const char* const path = std::getenv("OPDEBUG_FAULTS_HITS");
        std::FILE* const file = path == nullptr ? nullptr : std::fopen(path, "w");
        if (file != nullptr) {
            std::fprintf(file, "%llu\n", hits);
            std::fclose(file);
        }
    }
} preloaded_plan;

}  // namespace
