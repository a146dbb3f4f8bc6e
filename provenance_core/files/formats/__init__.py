"""The files of labelled data sets as their owners distribute them, and our own rows."""
