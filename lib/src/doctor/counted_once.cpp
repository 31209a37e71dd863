#include "doctor/counted_once.hpp"

#include <algorithm>
#include <optional>

namespace opdebug::doctor {
namespace {

/// A file whose folder is gone by now has its path for a name: it counts.
tree::FilePlace known_by(const std::optional<tree::FilePlace>& place, const std::string& path) {
    return place ? *place : tree::FilePlace{{}, path};
}

void add_all(const std::vector<std::string>& files, std::set<tree::FilePlace>& places) {
    for (const std::string& file : files) {
        places.insert(known_by(tree::place_in_folder(file), file));
    }
}

}  // namespace

void CountedOnce::add(const std::string& path, const Survey& survey) {
    for (const NamedDump& dump : survey.dumps) {
        dumps_.insert(known_by(tree::place_of(dump.path), dump.path));  // a scan counts a dump and links to it once
    }
    add_all(survey.logs, logs_);
    add_all(survey.maps, logs_);
    add_all(survey.api_dumps, api_dumps_);
    op_dumps_in_.insert(survey.op_dumps_in.begin(), survey.op_dumps_in.end());
    if (survey.op_dumps != 0 && survey.op_dumps_in.empty()) {
        add_all({path}, survey.op_dump_by_content ? unnamed_op_dumps_ : named_op_dumps_);
    }
}

void CountedOnce::add_settings(const std::string& file) {
    settings_.insert(known_by(tree::place_of(file), file));
}

DoctorCounts CountedOnce::counts() const {
    DoctorCounts counts;
    counts.dumps = dumps_.size();
    counts.logs = logs_.size();
    counts.api_dumps = api_dumps_.size();
    counts.settings = settings_.size();
    counts.op_dumps = unnamed_op_dumps_.size();
    for (const auto& [folder, count] : op_dumps_in_) {
        counts.op_dumps += count;
    }
    counts.op_dumps += static_cast<std::uint64_t>(
        std::count_if(named_op_dumps_.begin(), named_op_dumps_.end(),
                      [this](const tree::FilePlace& place) { return op_dumps_in_.count(place.first) == 0; }));
    return counts;
}

}  // namespace opdebug::doctor
