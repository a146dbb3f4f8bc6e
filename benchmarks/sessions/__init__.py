"""Many sessions at once against one server, as browsers have them."""
