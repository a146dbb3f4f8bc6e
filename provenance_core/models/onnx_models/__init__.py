"""The models that ship: ONNX files, the engines that run them, and how each reads a pair."""
