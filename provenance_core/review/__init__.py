"""What people say of audits, and how far they agree with each other and with the machine."""
