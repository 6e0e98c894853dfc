"""A process that would wait for ten minutes, or for its parent; for a test of what ends with its parent."""

import sys
import time

from book.processes import end_with_parent, wait_for_parent

if __name__ == "__main__":
    if sys.argv[1:] == ["for its parent"]:
        wait_for_parent()
        print("it may go on", flush=True)
    end_with_parent()
    time.sleep(600)
