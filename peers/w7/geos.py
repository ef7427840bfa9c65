"""Answers the questions of W7 with GEOS, through the vectorised functions of shapely. The race starts this program.

Each line on stdin is a command. Each answer on stdout is a line of text. After an answer with a count, that many f64
follow. Times are nanoseconds of this thread on its processor.

    load FILE   reads outlines, then pairs (u32 count, u32 a, u32 b of each), then points (u32 count, u32 outline of
                each, f64 x and y of each)
    ask WORD    builds the outlines, asks about all pairs or points, and asks again; answers "build first again count"
"""

import statistics
import sys
from time import monotonic, thread_time_ns

import numpy as np
import shapely

import outlines


# Largest number of repeats of a question. The median of their times counts.
REPEATS = 5
# Seconds after which a question is not repeated.
REPEAT_TIME = 1.0


def overlaps(a, b):
    """Returns which pairs intersect and do not only touch."""
    found = shapely.intersects(a, b)
    found[found] = ~shapely.touches(a[found], b[found])
    return found


class Input:
    """The outlines, pairs and points of a file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.points, self.offsets = outlines.read(file)
            pairs = np.fromfile(file, outlines.U32, 1)[0]
            self.pairs = np.fromfile(file, outlines.U32, 2 * pairs).reshape(-1, 2).T
            queries = np.fromfile(file, outlines.U32, 1)[0]
            self.owners = np.fromfile(file, outlines.U32, queries)
            self.queries = np.fromfile(file, outlines.F64, 2 * queries).reshape(-1, 2).T

    def build(self):
        """Returns the prepared outlines. GEOS makes the indices of a prepared outline at its first use."""
        built = shapely.from_ragged_array(shapely.GeometryType.MULTIPOLYGON, self.points, self.offsets)
        shapely.prepare(built)
        return built

    def answers(self, built, question):
        """Returns an answer for each pair, or for each point."""
        if question == "point":
            return shapely.intersects_xy(built[self.owners], *self.queries)
        a, b = built[self.pairs[0]], built[self.pairs[1]]
        calls = {
            "intersects": shapely.intersects,
            "overlaps": overlaps,
            "contains": shapely.contains,
            "distance": shapely.distance,
        }
        return calls[question](a, b)


def ask(data, question):
    """Measures one question, for outlines that were just built and again."""
    start = thread_time_ns()
    built = data.build()
    ready = thread_time_ns()
    found = data.answers(built, question)
    first = thread_time_ns() - ready
    repeats, begun = [], monotonic()
    while len(repeats) < REPEATS and monotonic() - begun < REPEAT_TIME:
        start_again = thread_time_ns()
        found = data.answers(built, question)
        repeats.append(thread_time_ns() - start_again)
    answer = found.astype(outlines.F64).tobytes()
    times = f"{ready - start} {first} {statistics.median(repeats)}"
    sys.stdout.buffer.write(f"{times} {len(found)}\n".encode() + answer)
    sys.stdout.buffer.flush()


def main():
    """Follows the commands."""
    print(f"GEOS {shapely.geos_version_string}, shapely {shapely.__version__}", flush=True)
    data = None
    for line in sys.stdin:
        command, word = line.rstrip("\n").split(" ", 1)
        if command == "load":
            data = Input(word)
            print("loaded", flush=True)
        else:
            ask(data, word)


main()
