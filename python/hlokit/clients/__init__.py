"""What other programs load: the plugin of pytest, the extension of Model Explorer."""
