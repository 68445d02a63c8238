# Accepts every requested version: dpep's packages replace packages that have version numbers of their own.
set(PACKAGE_VERSION "${PACKAGE_FIND_VERSION}")
set(PACKAGE_VERSION_COMPATIBLE TRUE)
