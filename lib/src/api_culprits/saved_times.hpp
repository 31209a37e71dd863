// When the values of a call were saved, by the times of the files beside the dump.
#pragma once

#include "api_culprits/found.hpp"

namespace opdebug::api_culprits {

/// Sets ApiFinding::saved_after_us and saved_at_us of the file's findings, by one look into its dump_tensor_data. A
/// folder that is not there or cannot be read leaves them empty.
void add_saved_times(FileFacts& facts);

}  // namespace opdebug::api_culprits
