// Depfiles (-MD): one rule for both passes over a source.
#pragma once

#include <filesystem>
#include <vector>

namespace dpcxx {

/// The host pass's rule, with what only the device pass read added, and without files of the temporary folder.
/// `phony`: an empty rule for each header, as -MP asks for.
std::string merge_dependencies(const std::filesystem::path &host, const std::filesystem::path &device,
                               const std::filesystem::path &temporary, bool phony);

/// Whether the rule names a file inside the folder.
bool depends_on(const std::filesystem::path &rule, const std::filesystem::path &folder);

/// The files that the rule names, but for those inside the folder.
std::vector<std::filesystem::path> files_outside(const std::filesystem::path &rule,
                                                 const std::filesystem::path &folder);

}  // namespace dpcxx
