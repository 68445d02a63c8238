// Depfiles (-MD): merges the rules of the two passes over a source.
#pragma once

#include <filesystem>
#include <vector>

namespace dpcxx {

/// The first rule with the additional files of the others, without files in the hidden folders.
/// `phony`: adds an empty rule for each header, as -MP does.
std::string merge_dependencies(const std::vector<std::filesystem::path> &rules,
                               const std::vector<std::filesystem::path> &hidden, bool phony);

/// Whether the rule names a file inside the folder.
bool depends_on(const std::filesystem::path &rule, const std::filesystem::path &folder);

/// The files that the rule names, without those inside the folders.
std::vector<std::filesystem::path> files_outside(const std::filesystem::path &rule,
                                                 const std::vector<std::filesystem::path> &folders);

}  // namespace dpcxx
