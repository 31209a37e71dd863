// explain DUMP LOGS: prints what overflowed, in which operator of which model.
#include <iostream>

#include <opdebug/opdebug.hpp>

int main(int count, char** values) {
    if (count != 3) {
        return 2;
    }
    opdebug::ExplainOptions options;
    options.logs = {values[2]};
    const opdebug::Result<opdebug::Explanation> explanation = opdebug::explain(values[1], options);
    if (!explanation) {
        std::cerr << opdebug::printable(opdebug::to_string(explanation.error())) << '\n';
        return 1;
    }
    std::cout << explanation->text;
    return 0;
}
