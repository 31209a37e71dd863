// Call stacks next to API dumps.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <opdebug/api.hpp>

#include "api_dump_builder.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// "NAME: first frame (number of frames)" of each stack that is found.
std::vector<std::string> stacks_of(const std::string& stack_json, const std::vector<std::string>& names) {
    const TemporaryDirectory directory;
    const std::string dump = write_file(directory / "dump.json", R"({"task":"statistics","data":{}})");
    write_file(directory / "stack.json", stack_json);
    const auto stacks = read_api_stacks(dump, names);
    if (!stacks) {
        return {std::string(to_string(stacks.error().code))};
    }
    std::vector<std::string> shown;
    for (const ApiStack& stack : *stacks) {
        shown.push_back(stack.name + ": " + stack.frames.at(0) + " (" + std::to_string(stack.frames.size()) + ")");
    }
    return shown;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("stack.json: the old form, one stack for each call") {
    const std::string text =
        R"({"Torch.a.0.forward":["File x, line 1, in f, \n y","File z"],"Torch.b.0.forward":["File b"]})";
    CHECK(stacks_of(text, {"Torch.b.0.forward", "Torch.a.0.forward", "Torch.c.0.forward"}) ==
          Texts{"Torch.b.0.forward: File b (1)", "Torch.a.0.forward: File x, line 1, in f, \n y (2)"});
}

TEST_CASE("stack.json: the new form, groups of calls with one stack") {
    const std::string text =
        R"({"0": [["Torch.a.0.forward", "Torch.a.1.forward"], ["File a"]], "1": [["Module.m.M.forward.0", "Module.m.M.forward.2"], ["File m", "File n"]]})";
    CHECK(stacks_of(text, {"Torch.a.1.forward"}) == Texts{"Torch.a.1.forward: File a (1)"});
    // parameters_grad counts on over the steps of a run, the calls of a step begin at 0.
    CHECK(stacks_of(text, {"Torch.a.0.backward", "Module.m.M.backward.2", "Module.m.M.parameters_grad.7"}) ==
          Texts{"Torch.a.0.backward: File a (1)", "Module.m.M.backward.2: File m (2)",
                "Module.m.M.parameters_grad.7: File m (2)"});
}

TEST_CASE("stack.json: a cut one gives what is whole, a missing one nothing, another file an error") {
    const std::string text = R"({"0": [["Torch.a.0.forward"], ["File a"]], "1": [["Torch.b.0.forward"], ["File)";
    CHECK(stacks_of(text, {"Torch.a.0.forward", "Torch.b.0.forward"}) == Texts{"Torch.a.0.forward: File a (1)"});
    CHECK(stacks_of(text, {"Torch.b.0.forward"}) == Texts{"api_dump_invalid"});
    CHECK(stacks_of("", {"Torch.b.0.forward"}) == Texts{"api_dump_invalid"});
    CHECK(stacks_of("{}", {"Torch.a.0.forward"}).empty());
    CHECK(stacks_of("[]", {"Torch.a.0.forward"}) == Texts{"api_dump_invalid"});
    const TemporaryDirectory directory;
    const auto none =
        read_api_stacks(write_file(directory / "dump.json", R"({"task":"x","data":{}})"), {"Torch.a.0.forward"});
    REQUIRE(none.ok());
    CHECK(none->empty());
}

TEST_CASE("stacks in a .pkl stand in front of a call or after it") {
    for (const bool is_overflow_file : {false, true}) {
        const TemporaryDirectory directory;
        PtdbgForm form;
        form.is_overflow_file = is_overflow_file;
        form.stack = {{"/a/b.py", "7"}, {"/c.py", "8"}};
        const MadeCall call{"Functional.linear.3.backward", {made_tensor()}, {}, {}, {made_tensor()}, {}, false};
        const std::string dump = write_file(directory / "rank0/dump.pkl", ptdbg_text({call}, form));
        const auto stacks = read_api_stacks(dump, {"Functional_linear_3_backward"});
        REQUIRE(stacks.ok());
        REQUIRE(stacks->size() == 1);
        CHECK((*stacks)[0].frames ==
              Texts{"File /a/b.py, line 7, in f, \n x = g(x)", "File /c.py, line 8, in f, \n x = g(x)"});
    }
}
