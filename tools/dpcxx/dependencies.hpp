// Depfiles (-MD): merges the rules of the two passes over a source.
#pragma once

#include <filesystem>
#include <vector>

namespace dpcxx {

/// The host pass's rule with the additional files of the device pass, without files in the temporary folder.
/// `phony`: adds an empty rule for each header, as -MP does.
std::string merge_dependencies(const std::filesystem::path &host, const std::filesystem::path &device,
                               const std::filesystem::path &temporary, bool phony);

/// Whether the rule names a file inside the folder.
bool depends_on(const std::filesystem::path &rule, const std::filesystem::path &folder);

/// The files that the rule names, without those inside the folder.
std::vector<std::filesystem::path> files_outside(const std::filesystem::path &rule,
                                                 const std::filesystem::path &folder);

}  // namespace dpcxx
