# dpep's packages go with every version that is asked for: they stand for packages with version numbers of their own.
set(PACKAGE_VERSION "${PACKAGE_FIND_VERSION}")
set(PACKAGE_VERSION_COMPATIBLE TRUE)
