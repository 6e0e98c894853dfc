"""A process that would wait for ten minutes; for a test of what ends with its parent."""

import time

from book.processes import end_with_parent

if __name__ == "__main__":
    end_with_parent()
    time.sleep(600)
