"""What proves that a factor is (nearly) optimal: everything that must be proved is here."""
