"""Replacements for parts whose official release is not available on this machine."""
