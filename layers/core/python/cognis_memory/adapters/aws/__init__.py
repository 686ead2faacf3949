"""What the adapters of AWS services share."""
