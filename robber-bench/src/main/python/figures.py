"""Keeps measured results in docs/results, and writes the tables and plots of docs/benchmarks.md and README.md from them.

    figures record NAME -- COMMAND [ARG ...]   run a command that has {out} among its arguments, and keep what it writes there
    figures write                              write all tables and plots anew
    figures check                              the same, but only say what is out of date: exit code 1

A command writes either a folder with summary.csv (robber-cli emulate --report={out}) or a file of JSON records
(robber-bench/bin/loopback --json={out}). Beside it, NAME.json says which command it was, of which commit, on which day.

A page asks for a table between two comments:

    <!-- table NAME rows=FIELD columns=FIELD value=FIELD [scale=100] [digits=1] [order=A,B,...] -->
    <!-- end -->

and for a plot in the same way with the word plot. Fields are columns of summary.csv, or keys of the JSON records.
"""

import csv
import datetime
import html
import json
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
RESULTS = ROOT / "docs" / "results"
PLOTS = ROOT / "docs" / "plots"
PAGES = [ROOT / "docs" / "benchmarks.md", ROOT / "README.md"]
BLOCK = re.compile(r"<!-- (table|plot) (\S+)((?: \w+=\S+)*) -->\n.*?<!-- end -->", re.DOTALL)
COLOURS = ["#1b6ca8", "#e07b39", "#5a9e6f", "#9d5c8f", "#7a7a7a", "#c2b34a"]


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def record(name, command):
    """Runs the command, and keeps its result under that name."""
    if not any("{out}" in argument for argument in command):
        sys.exit("figures: no argument of the command has {out} in it")
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        status = subprocess.run([argument.replace("{out}", str(out)) for argument in command], cwd=ROOT).returncode
        if status != 0:
            sys.exit(f"figures: the command ended with {status}; nothing is kept")
        source, suffix = (out / "summary.csv", ".csv") if out.is_dir() else (out, ".records.json")
        if not source.exists():
            sys.exit(f"figures: the command wrote neither {source.name} nor a file")
        RESULTS.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, RESULTS / (name + suffix))
    about = {
        "command": " ".join(argument.replace("{out}", "OUT") for argument in command),
        "commit": git("rev-parse", "--short=10", "HEAD"),
        "date": datetime.date.today().isoformat(),
    }
    (RESULTS / (name + ".json")).write_text(json.dumps(about, indent=2) + "\n")


def rows_of(name):
    """The records that are kept under that name, as dictionaries."""
    table = RESULTS / (name + ".csv")
    if table.exists():
        with table.open(newline="") as lines:
            return list(csv.DictReader(lines))
    records = json.loads((RESULTS / (name + ".records.json")).read_text())
    return records if isinstance(records, list) else records["runs"]


def pivot(name, options):
    """Row names, column names, and the median of the values of each cell with its 95 % half width, if there is one."""
    scale = float(options.get("scale", 1))
    cells = {}
    rows, columns = [], []
    for entry in rows_of(name):
        row, column, value = entry[options["rows"]], entry[options["columns"]], entry.get(options["value"])
        if value in (None, ""):
            continue
        if row not in rows:
            rows.append(row)
        if column not in columns:
            columns.append(column)
        width = entry.get(options["value"] + "_half_width_95") or "nan"
        cells.setdefault((row, column), []).append((float(value) * scale, float(width) * scale))
    if "order" in options:
        columns = [column for column in options["order"].split(",") if column in columns]
    merged = {key: (statistics.median(v for v, _ in found), found[0][1] if len(found) == 1 else float("nan")) for key, found in cells.items()}
    return rows, columns, merged


def source_line(name):
    about = json.loads((RESULTS / (name + ".json")).read_text())
    return f"`{about['command']}`, commit {about['commit']}, {about['date']}."


def table(name, options):
    rows, columns, cells = pivot(name, options)
    digits = int(options.get("digits", 1))

    def cell(row, column):
        if (row, column) not in cells:
            return ""
        value, width = cells[row, column]
        # A half width of zero at these digits says nothing.
        margin = "" if width != width or round(width, digits) == 0 else f" ± {width:.{digits}f}"
        return f"{value:.{digits}f}{margin}"

    lines = ["| | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    lines += [f"| {row} | " + " | ".join(cell(row, column) for column in columns) + " |" for row in rows]
    return "\n".join(lines) + "\n\n" + source_line(name)


def bars(name, options):
    """Grouped bars as SVG: a group for each row, a colour for each column."""
    rows, columns, cells = pivot(name, options)
    top = max(value for value, _ in cells.values())
    bar, gap, height, left = 18, 22, 220, 46
    group = bar * len(columns) + gap
    width = left + group * len(rows) + 10
    text = 'font-family="sans-serif" font-size="12"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + 70}" {text}>',
             f'<rect width="{width}" height="{height + 70}" fill="white"/>']
    step = next(s for s in (1, 2, 5, 10, 20, 25, 50, 100, 1000, 10000) if top / s <= 6)
    for mark in range(0, int(top) + step, step):
        y = 20 + height - mark / top * height
        if y < 12:
            break
        parts.append(f'<line x1="{left}" x2="{width - 6}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{mark}</text>')
    for i, row in enumerate(rows):
        x = left + gap / 2 + i * group
        for j, column in enumerate(columns):
            value = cells.get((row, column), (0, 0))[0]
            tall = value / top * height
            parts.append(f'<rect x="{x + j * bar:.1f}" y="{20 + height - tall:.1f}" width="{bar - 2}" height="{tall:.1f}" '
                         f'fill="{COLOURS[j % len(COLOURS)]}"><title>{html.escape(f"{row}, {column}: {value:.1f}")}</title></rect>')
        parts.append(f'<text x="{x + bar * len(columns) / 2:.1f}" y="{height + 38}" text-anchor="middle" '
                     f'font-size="10">{html.escape(row.removeprefix("tc1_"))}</text>')
    for j, column in enumerate(columns):
        x = left + j * 110
        parts.append(f'<rect x="{x}" y="{height + 50}" width="10" height="10" fill="{COLOURS[j % len(COLOURS)]}"/>')
        parts.append(f'<text x="{x + 15}" y="{height + 60}">{html.escape(column)}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def written(page, plots):
    """The page with all blocks anew; plots go into the dictionary, by file."""
    def block(match):
        kind, name = match.group(1), match.group(2)
        options = dict(part.split("=", 1) for part in match.group(3).split())
        head = match.group(0).split("\n", 1)[0]
        if kind == "table":
            body = table(name, options)
        else:
            file = PLOTS / (name + ".svg")
            plots[file] = bars(name, options)
            body = f"![{name}]({file.relative_to(page.parent).as_posix()})"
        return f"{head}\n{body}\n<!-- end -->"

    return BLOCK.sub(block, page.read_text())


def write(check):
    stale = []
    plots = {}
    texts = {page: written(page, plots) for page in PAGES}
    for file, text in {**texts, **plots}.items():
        if not file.exists() or file.read_text() != text:
            stale.append(file.relative_to(ROOT).as_posix())
            if not check:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
    if check and stale:
        sys.exit("figures: out of date, run robber-bench/bin/figures write: " + ", ".join(stale))


def main(arguments):
    if len(arguments) > 3 and arguments[0] == "record" and arguments[2] == "--":
        record(arguments[1], arguments[3:])
    elif arguments in (["write"], ["check"]):
        write(arguments == ["check"])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
