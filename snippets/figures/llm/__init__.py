"""The figures of the part llm."""
