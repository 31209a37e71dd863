// Names that try to be something else: orders to a terminal, markup, formulas, options, forms of printf and fmt.
#pragma once

#include <string>
#include <vector>

namespace opdebug::test {

/// Each can be the name of a file on its own: no NUL, no slash, at most 180 bytes.
const std::vector<std::string>& hostile_names();

/// A job below `root` whose folders, files, operators, models and mapping.csv have these names. Name i is that of
/// operator and folder of the overflow of rank i, step i; the dump is hostile_dump(root, i).
void write_hostile_job(const std::string& root);
std::string hostile_dump(const std::string& root, std::size_t i);

/// A log in `folder` with lines that give the names to operators, kernels and models of dumps that have no operator's
/// dump next to them; line breaks are left out of the names, and a NUL is put after each. These are
/// hostile_logged_dump(root, i).
void write_hostile_log(const std::string& folder);
std::string hostile_logged_dump(const std::string& root, std::size_t i);

}  // namespace opdebug::test
