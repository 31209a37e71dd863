// Standard input, output and error, as the program finds them.
#pragma once

namespace opdebug::tool {

/// Gives a stream that was closed before the program began (2>&-) a descriptor that holds its number: else the first
/// file that is opened gets it, and messages would be written into a dump's document. Reading from such a standard
/// input and writing to such a standard output fails and is told; what goes to such a standard error is gone, as was
/// wished.
void open_standard_streams() noexcept;

}  // namespace opdebug::tool
