"""What is said of a job, as the fields of a request."""
