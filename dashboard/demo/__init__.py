"""The demonstration: five steps over prepared audits, without a model."""
