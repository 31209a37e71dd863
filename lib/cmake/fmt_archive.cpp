// The library fmt as objects to link with. Debian has it as a shared object only; its headers hold all of it as inline
// functions where FMT_HEADER_ONLY is set. Compiled with -fkeep-inline-functions (one_file.cmake) these become the
// functions that code compiled for the shared object requests.
#include <fmt/format.h>

// A template so small that the compiler leaves no function of it.
template std::locale fmt::detail::locale_ref::get<std::locale>() const;
