// Holds JSON documents against the installed JSON Schemas inside the process, quickly enough for every input of a fuzz
// target. tests/support/json_schema.hpp calls Python, which judges by the whole standard.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace opdebug::test {

/// One of the schemas of lib/data/schema. Immutable.
class DocumentSchema {
public:
    /// `name`: "record", "report", "report-line", "status", "tensors" or "logs". Throws std::runtime_error when the
    /// files cannot be read, or hold a keyword that this class does not know and would pass over.
    DocumentSchema(const std::string& folder, const std::string& name);
    ~DocumentSchema();
    DocumentSchema(const DocumentSchema&) = delete;
    DocumentSchema& operator=(const DocumentSchema&) = delete;

    /// Empty for a valid document, else what is wrong and where. The text must be UTF-8.
    std::string verdict(std::string_view document) const;

private:
    struct Compiled;
    std::unique_ptr<Compiled> compiled_;
};

}  // namespace opdebug::test
