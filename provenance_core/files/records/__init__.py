"""Files of every kind into records, one by one."""
