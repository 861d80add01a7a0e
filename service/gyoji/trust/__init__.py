"""What a service has signed, checked by whoever holds it: receipts, proofs of contradiction, restorations. Pure."""
