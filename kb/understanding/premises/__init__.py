"""What a question takes for granted and should not: figures the tables contradict, common beliefs that are wrong."""
