// Data of the library that are JSON files: one way to read them and to tell their faults.
#pragma once

#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "json/document.hpp"

namespace opdebug::json_stage {

/// Reads a data file of the library: what `read(document, fault)` makes of its document. Error: as error_of() says.
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
