"""Whether the app and its commands keep what they acknowledged: each part a command."""
