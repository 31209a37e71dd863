// JSON data files of the library: common reading and errors.
#pragma once

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "json/document.hpp"

namespace opdebug::json_stage {

/// Reads a data file of the library with `read(document, fault)`. Error: see error_of().
template <class Read>
auto read_data_file(const std::string& name, const std::string& text, Read read)
    -> Result<decltype(read(std::declval<const nlohmann::json&>(), std::declval<Fault&>()))> {
    Fault fault;
    const nlohmann::json document = parse_document(text, fault);
    if (!fault.found()) {
        auto data = read(document, fault);
        if (!fault.found()) {
            return data;
        }
    }
    return error_of(fault, name);
}

}  // namespace opdebug::json_stage
