"""The library as a package of Conan 2: conan create tools/conan --build=missing"""

import re
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy

required_conan_version = ">=2.0.9"


class Opdebug(ConanFile):
    name = "opdebug"
    description = "Decoder of Ascend OpDebug overflow dumps"
    license = "Apache-2.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False]}
    default_options = {"shared": False}
    # The lower limits of lib/cmake/dependencies.cmake.
    requires = (
        "boost/[>=1.74 <2]",
        "fmt/[>=9 <13]",
        "nlohmann_json/[>=3.11 <4]",
        "zlib/[>=1.2.11 <2]",
        "zstd/[>=1.5 <1.6]",
    )
    generators = "CMakeDeps"

    @property
    def _root(self):
        return Path(self.recipe_folder).parents[1]

    def set_version(self):
        lists = (self._root / "CMakeLists.txt").read_text(encoding="utf-8")
        self.version = re.search(r"^project\(opdebug VERSION ([0-9.]+)", lists, re.MULTILINE).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "CHANGELOG.md", "LICENSE", "lib/*", "docs/*"):
            copy(self, pattern, self._root, self.export_sources_folder, excludes="*__pycache__*")

    def layout(self):
        self.folders.root = "../.."
        cmake_layout(self)

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("opdebug needs Linux")
        check_min_cppstd(self, 17)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.cache_variables["CMAKE_UNITY_BUILD"] = True
        for part in ("TOOL", "PYTHON", "TESTS"):
            toolchain.cache_variables[f"OPDEBUG_BUILD_{part}"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        copy(self, "LICENSE", self.source_folder, str(Path(self.package_folder, "licenses")))
        cmake = CMake(self)
        cmake.install(component="library")
        cmake.install(component="dev")

    def package_info(self):
        # CMake reads the project's own opdebugConfig.cmake. The rest is for other build systems.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/opdebug"]
        self.cpp_info.libs = ["opdebug"]
        self.cpp_info.system_libs = ["m", "pthread"]
        self.cpp_info.requires = ["boost::regex", "fmt::fmt", "nlohmann_json::nlohmann_json", "zlib::zlib", "zstd::zstd"]
