// MindSpore's two folders of one iteration: overflow dumps in rank_{r}/debug_files/{iteration}, operator dumps in
// rank_{r}/{net}/{graph}/{iteration}. Source: MindSpore's documents on dumps, and DeleteNoOverflowFile in its code.
#pragma once

#include <string>
#include <vector>

namespace opdebug::locate_stage {

/// The folders with the operator dumps of the same rank and iteration, in order; none for other folders.
std::vector<std::string> graph_folders_of(const std::string& folder);

}  // namespace opdebug::locate_stage
