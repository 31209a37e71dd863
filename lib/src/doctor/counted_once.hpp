// The counts of an examination: what several paths lead to counts once.
#pragma once

#include <map>
#include <set>
#include <string>

#include <opdebug/doctor.hpp>

#include "doctor/checks.hpp"
#include "tree/file_place.hpp"
#include "tree/walk.hpp"

namespace opdebug::doctor {

/// Knows files by where they lie: a file may be given itself and lie below a folder that is given, and links may lead
/// there. Of operators' dumps, of which there may be millions, only folders are kept.
class CountedOnce {
public:
    /// `path`: what the survey is of.
    void add(const std::string& path, const Survey& survey);
    void add_settings(const std::string& file);

    DoctorCounts counts() const;

private:
    std::set<tree::FilePlace> dumps_, logs_, api_dumps_, settings_;
    std::map<tree::FolderIdentity, std::uint64_t> op_dumps_in_;
    std::set<tree::FilePlace> named_op_dumps_;    ///< given themselves; in a folder of op_dumps_in_ they count there
    std::set<tree::FilePlace> unnamed_op_dumps_;  ///< given themselves; no folder counts them
};

}  // namespace opdebug::doctor
