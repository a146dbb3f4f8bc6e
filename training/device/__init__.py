"""Training on a machine with a GPU that is lent for minutes: see training/README.md.

:mod:`training.device.pack` makes what travels there, :mod:`training.device.on_device` runs there,
:mod:`training.device.unpack` reads what came back, :mod:`training.device.rehearse` does all of it
here. The first and the last need what training needs; ``on_device`` needs torch and transformers
alone.
"""
