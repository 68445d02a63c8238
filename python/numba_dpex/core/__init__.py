"""Exceptions, types and settings under the names that programs import them by."""
