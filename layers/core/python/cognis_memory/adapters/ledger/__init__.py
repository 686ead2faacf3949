"""What every ledger decides alike, whatever its engine: sensible commits, cursors of lists, encodings."""
