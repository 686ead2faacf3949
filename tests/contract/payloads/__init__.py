"""What every payload store must do."""
