# The libraries of Debian 12 instead of packages from ConanCenter (group build of tools/packages.txt):
# conan create tools/conan --profile:host tools/conan/debian12.profile
include(default)

[platform_requires]
boost/1.74.0
fmt/9.1.0
nlohmann_json/3.11.2
zlib/1.2.13
zstd/1.5.4
