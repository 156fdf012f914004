"""Search: the exact solver of open hands. Compiled, without PyTorch."""
