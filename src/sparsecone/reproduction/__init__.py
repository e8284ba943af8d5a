"""The paper's six experiments: plans, the runner, and the page of results."""
