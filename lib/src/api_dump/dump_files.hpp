// The API dumps among files that may be some by their names: each once, whatever links lead to it.
#pragma once

#include <set>
#include <string>
#include <utility>

#include <sys/types.h>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// step{N}/rank{M}/dump.json, or proc{pid}, pid{pid}: what is there without the form of a dump is damaged, and its
/// reader says so. Elsewhere a dump.json may be anybody's.
bool is_where_msprobe_writes(const std::string& path);

class DumpFiles {
public:
    /// A file that is a dump whatever it holds, for it was given itself.
    void add_given(const std::string& path);

    /// A file whose name is that of a dump: the content decides. Whether it is one, under this path.
    bool add_if_dump(const std::string& path);

    /// In path order. `failures`: files that could not be read.
    ApiTree take();

private:
    bool is_new(const std::string& path);

    ApiTree tree_;
    std::set<std::pair<dev_t, ino_t>> seen_;
};

}  // namespace opdebug::api_dump
