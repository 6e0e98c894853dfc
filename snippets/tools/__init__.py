"""What the book uses and does not teach: results kept on disk, processes, times, traces."""
