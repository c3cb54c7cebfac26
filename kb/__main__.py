"""python -m kb"""

import sys

from kb.cli import main

if __name__ == "__main__":
    sys.exit(main())
