#include "api_pairs/pairing.hpp"

#include <map>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "embedded/pair_rules_data.hpp"

namespace opdebug::api_pairs {
namespace {

struct PairRules {
    std::map<std::string, double, std::less<>> numbers;
    std::set<std::string, std::less<>> random_apis;
};

const PairRules& pair_rules() {
    static const PairRules rules = [] {
        const auto document = nlohmann::json::parse(embedded::pair_rules_files().front().text);
        return PairRules{document.at("rules"), document.at("random_apis")};
    }();
    return rules;
}

}  // namespace

double rule(std::string_view name) {
    return pair_rules().numbers.find(name)->second;
}

bool is_random(std::string_view function) {
    return pair_rules().random_apis.contains(function);
}

}  // namespace opdebug::api_pairs
