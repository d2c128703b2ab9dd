"""Every route to the same accelerations, timed side by side: `python -m tests.benchmarks`."""

import argparse
import json
from pathlib import Path

from . import tables
from .race import machine


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("--json", type=Path, default=Path("benchmark.json"), help="file to write")
    parser.add_argument("--budget", type=float, default=4.0, help="seconds for each row")
    options = parser.parse_args()
    budget, path = options.budget, options.json
    here = machine()
    for what, value in here.items():
        print(f"{what}: {value}")
    results = []
    for table in tables.ALL:
        for row in table(budget):
            tables.show(row)
            results.append(row)
    path.write_text(json.dumps(dict(machine=here, rows=results), indent=1), encoding="utf-8")
    print(f"\nwritten: {path}")


if __name__ == "__main__":
    main()
