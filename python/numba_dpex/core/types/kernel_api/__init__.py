"""Types of kernel_api's objects."""
