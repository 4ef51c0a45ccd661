"""Analysis: measures the trajectory, and draws what it finds."""
