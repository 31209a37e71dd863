// Names of element types, as the tools write them.
#pragma once

#include <string>
#include <string_view>

namespace opdebug::api_dump {

/// NumPy's name where the type has one ("torch.float16", MindSpore's "Float16" and CANN's "DT_FLOAT16" are "float16"),
/// "bfloat16", or the tool's own name without its prefix ("torch_npu.HiFloat8Tensor" is "HiFloat8Tensor").
std::string element_name(std::string_view written);

/// The same for many values, which mostly have the type of the one before.
class ElementNames {
public:
    const std::string& name_of(std::string_view written) {
        if (written != written_) {
            written_ = written;
            name_ = element_name(written);
        }
        return name_;
    }

private:
    std::string written_, name_;
};

}  // namespace opdebug::api_dump
