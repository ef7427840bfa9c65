"""Runs programs and measures time, processor time and the largest resident memory of each."""

import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = ["sedonadb==0.5.0", "shapely==2.2.0", "pyarrow>=21", "geoarrow-pyarrow", "pyproj"]


@dataclasses.dataclass
class Run:
    """A finished program: exit code (negative: a signal), seconds, processor seconds, peak bytes, output."""

    code: int
    seconds: float
    cpu: float
    peak: int
    stdout: str
    stderr: str


def run(command, log, limit=3600.0):
    """Runs a program to its end, or kills it after `limit` seconds. `log` is the prefix of its output files.

    The peak is that of the kernel, for the process alone.
    """
    out, err = pathlib.Path(f"{log}.out"), pathlib.Path(f"{log}.err")
    with out.open("wb") as stdout, err.open("wb") as stderr:
        start = time.perf_counter()
        process = subprocess.Popen([str(word) for word in command], stdin=subprocess.DEVNULL, stdout=stdout,
                                   stderr=stderr)
        timer = threading.Timer(limit, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        timer.cancel()
    process.returncode = os.waitstatus_to_exitcode(status)
    return Run(process.returncode, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024,
               out.read_text(), err.read_text(errors="replace"))


def checked(command, log, **options):
    """Runs a program that must succeed."""
    result = run(command, log, **options)
    if result.code != 0:
        sys.exit(f"{command[0]} ended with {result.code}:\n{result.stderr[-2000:]}")
    return result


def reason(result):
    """Returns why a program failed, in one short line."""
    if result.code == -signal.SIGKILL:
        return "killed: out of memory or time"
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    return (lines[-1] if lines else f"exit code {result.code}")[:120]


def binaries(directory):
    """Returns the folder of carom-join and carom-generate; builds them if none is given."""
    if directory:
        return pathlib.Path(directory).resolve()
    subprocess.run(["cargo", "build", "--release", "--locked"], cwd=ROOT, check=True)
    return pathlib.Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "release"


def python(directory):
    """Returns the Python of an environment with the peers. The first call installs them."""
    folder = directory / "venv"
    executable = folder / "bin" / "python"
    if not executable.exists():
        venv.create(folder, with_pip=True)
        subprocess.run([executable, "-m", "pip", "install", "--quiet", *PACKAGES], check=True)
    return executable


def inputs(programs, directory, outlines):
    """Returns two files: `outlines` outlines, and a tenth as many in the same cities."""
    left, right = directory / f"a-{outlines}.parquet", directory / f"b-{outlines}.parquet"
    small = outlines // 10
    for path, count, options in [(left, outlines, ["--outlines", 1]), (right, small, ["--outlines", 2, "--size", 20])]:
        if not path.exists():
            unfinished = path.with_suffix(".unfinished")
            checked([programs / "carom-generate", unfinished, "--count", count, "--world", outlines, *options],
                    directory / "generate")
            unfinished.rename(path)
        # Every program finds the file in the cache of the system.
        with path.open("rb") as file:
            while file.read(1 << 24):
                pass
    return left, right


def table(header, rows):
    """Returns a Markdown table. The first column is aligned to the left."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def machine():
    """Returns the processor and its number of cores."""
    text = pathlib.Path("/proc/cpuinfo").read_text()
    names = [line.split(":", 1)[1].strip() for line in text.splitlines() if line.startswith("model name")]
    return f"{names[0] if names else 'unknown processor'}, {os.cpu_count()} cores"
