"""The versions of the rules that label sentences (:attr:`Evidence.labelled_by`): an audit keeps
those it was made by."""

# From this version of the rules on, a finding labels and explains only where it holds.
HOLDING = 2
# From this version on, the labels of every detector come from what its score is made of.
ONE_VALUE = 3
# From this version on, a passage says otherwise only where it says the rest of the sentence, no
# model alone contradicts, and the evidence is the nearest sentence in words and entailment.
ALIKE = 4
# From this version on, of a window whose words of the sentence stand in one chunk, only chunks of
# the same context item are read together with that one.
OF_ONE_ITEM = 5
LABELLED_BY = 5  # the version of today
