"""Builds a program with the package and decodes the demonstration's dump."""

from io import StringIO
from pathlib import Path

from conan import ConanFile
from conan.errors import ConanException
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class TestPackage(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps"

    def requirements(self):
        self.requires(self.tested_reference_str)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        demo = Path(self.recipe_folder).parents[2] / "testdata" / "demo"
        dump = next(demo.rglob("Opdebug.Node_OpDebug.*"))
        output = StringIO()
        self.run(f'"{self.build_folder}/explain" "{dump}" "{demo / "logs"}"', stdout=output, env="conanrun")
        self.output.info(output.getvalue())
        if "bert/encoder/layer_3/attention/softmax/Exp" not in output.getvalue():
            raise ConanException("the operator of the dump is missing")
