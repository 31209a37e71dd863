#include "document_schema.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <nlohmann/json.hpp>

// RapidJSON would end the process where a document is nested too deeply for its stack; ours are flat.
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/schema.h>
#include <rapidjson/stringbuffer.h>

namespace opdebug::test {
namespace {

using Json = nlohmann::ordered_json;

/// What our schemas use and RapidJSON, which knows draft 4, takes as it is. The texts and names are no rules.
constexpr std::array<std::string_view, 16> kSameInDraft4{
    "$schema",   "title",    "$comment", "type",    "required", "properties", "additionalProperties", "items",
    "minLength", "minItems", "maxItems", "minimum", "maximum",  "pattern",    "uniqueItems",          "enum"};

bool is_same_in_draft4(std::string_view keyword) {
    for (const std::string_view known : kSameInDraft4) {
        if (known == keyword) {
            return true;
        }
    }
    return false;
}

/// "record.schema.json#/$defs/number" of any file → "#/definitions/record/definitions/number": all schemas are in one
/// document, each below its name.
std::string reference_to(const std::string& reference, const std::string& own_name) {
    const std::size_t hash = std::min(reference.find('#'), reference.size());
    std::string name = reference.substr(0, hash);
    name = name.empty() ? own_name : name.substr(0, name.find('.'));
    std::string path = reference.substr(std::min(hash + 1, reference.size()));
    for (std::size_t at = path.find("$defs"); at != std::string::npos; at = path.find("$defs", at)) {
        path.replace(at, 5, "definitions");
    }
    return "#/definitions/" + name + path;
}

Json in_draft4(const Json& schema, const std::string& own_name);

Json members_in_draft4(const Json& schemas, const std::string& own_name) {
    Json result = schemas.is_array() ? Json::array() : Json::object();
    for (const auto& item : schemas.items()) {
        if (schemas.is_array()) {
            result.push_back(in_draft4(item.value(), own_name));
        } else {
            result[item.key()] = in_draft4(item.value(), own_name);
        }
    }
    return result;
}

/// A schema of draft 2020-12 with the keywords of draft 4.
Json in_draft4(const Json& schema, const std::string& own_name) {
    if (!schema.is_object()) {
        return schema;  // true or false
    }
    Json result = Json::object();
    for (const auto& item : schema.items()) {
        const std::string& keyword = item.key();
        const Json& value = item.value();
        if (keyword == "$ref") {
            if (schema.size() != (schema.contains("description") ? 2U : 1U)) {
                throw std::runtime_error("draft 4 passes over what stands beside a $ref, in " + own_name);
            }
            result[keyword] = reference_to(value.get<std::string>(), own_name);
        } else if (keyword == "description") {
            continue;  // no rule
        } else if (keyword == "const") {
            result["enum"] = Json::array({value});
        } else if (keyword == "dependentRequired") {
            result["dependencies"] = value;
        } else if (keyword == "$defs") {
            result["definitions"] = members_in_draft4(value, own_name);
        } else if (keyword == "properties" || keyword == "oneOf") {
            result[keyword] = members_in_draft4(value, own_name);
        } else if (keyword == "items" || keyword == "additionalProperties") {
            result[keyword] = in_draft4(value, own_name);
        } else if (is_same_in_draft4(keyword)) {
            result[keyword] = value;
        } else {
            throw std::runtime_error("unknown keyword " + keyword + " in the schema " + own_name);
        }
    }
    return result;
}

Json read_schemas(const std::string& folder) {
    constexpr std::string_view kEnding = ".schema.json";
    Json schemas = Json::object();
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string file = entry.path().filename().string();
        const bool is_for_editors = file.rfind("log-formats", 0) == 0;  // of files of users, no document of the library
        if (!is_for_editors && file.size() > kEnding.size() && file.substr(file.size() - kEnding.size()) == kEnding) {
            std::ifstream stream(entry.path());
            const std::string name = file.substr(0, file.size() - kEnding.size());
            schemas[name] = in_draft4(Json::parse(stream), name);
        }
    }
    return schemas;
}

std::string text_of(const rapidjson::Pointer& place) {
    rapidjson::StringBuffer text;
    place.StringifyUriFragment(text);
    return {text.GetString(), text.GetSize()};
}

}  // namespace

struct DocumentSchema::Compiled {
    rapidjson::Document text;
    std::unique_ptr<rapidjson::SchemaDocument> schema;
};

DocumentSchema::DocumentSchema(const std::string& folder, const std::string& name)
    : compiled_(std::make_unique<Compiled>()) {
    const Json schemas = read_schemas(folder);
    if (!schemas.contains(name)) {
        throw std::runtime_error("there is no schema " + name + " in " + folder);
    }
    Json schema = schemas[name];
    schema["definitions"] = schemas;  // its own are among them
    compiled_->text.Parse(schema.dump().c_str());
    compiled_->schema = std::make_unique<rapidjson::SchemaDocument>(compiled_->text);
}

DocumentSchema::~DocumentSchema() = default;

std::string DocumentSchema::verdict(std::string_view document) const {
    rapidjson::Document parsed;
    parsed.Parse<rapidjson::kParseValidateEncodingFlag>(document.data(), document.size());
    if (parsed.HasParseError()) {
        return "no JSON at byte " + std::to_string(parsed.GetErrorOffset()) + ": " +
               rapidjson::GetParseError_En(parsed.GetParseError());
    }
    rapidjson::SchemaValidator validator(*compiled_->schema);
    if (parsed.Accept(validator)) {
        return {};
    }
    return "at " + text_of(validator.GetInvalidDocumentPointer()) + ": " + validator.GetInvalidSchemaKeyword() +
           " of " + text_of(validator.GetInvalidSchemaPointer());
}

}  // namespace opdebug::test
