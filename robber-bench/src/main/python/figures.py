"""Keeps measured results in docs/results, and writes the tables and plots of docs/benchmarks.md and README.md from them.

    figures list             what can be recorded: minutes, name, command, and when it was recorded last
    figures record NAME ...  run the command of that name, and keep its result
    figures write            write all tables and plots anew
    figures check            the same, but only say what is out of date, or was recorded by another command: exit code 1

docs/results/recordings.json has the command of each name. A command writes to {out} either a folder with summary.csv
(robber-cli emulate --report={out}) or a file of JSON (robber-bench/bin/loopback --json={out}). Or it prints lines: "lines"
is a regular expression whose named groups become a record for each line that has them. Beside the result, NAME.json says
which command it was, of which commit, on which day.

A page asks for a table between two comments, of one recording or of several that are joined by +:

    <!-- table NAME[+NAME...] rows=FIELD[,FIELD...] columns=FIELD value=FIELD [scale=100] [digits=1] [order=A,B,...]
     [titles=A,B,...] -->
    <!-- end -->

for a plot in the same way with the word plot, and for both with the word figure, whose option drawn=A,B selects the columns
of the plot. With the word curves it is a diagram for each row, of values over the field x, both on logarithmic scales. Fields are columns of summary.csv, or keys of the JSON records; the field
"recording" is the name. Without columns, value names several fields, and each is a column. Order selects columns, and titles
renames them, with _ for a blank. Where several records meet in a cell, it shows their median.
"""

import csv
import datetime
import html
import json
import math
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[4]
RESULTS = ROOT / "docs" / "results"
PLOTS = ROOT / "docs" / "plots"
PAGES = [ROOT / "docs" / "benchmarks.md", ROOT / "README.md"]
RECORDINGS = RESULTS / "recordings.json"
BLOCK = re.compile(r"<!-- (table|plot|figure|curves) (\S+)((?:\s+\w+=\S+)*) -->\n((?!<!-- ).*\n)*?<!-- end -->")
BOUNDARY = re.compile(r"^<!-- (?:table|plot|figure|curves|end)\b.*", re.MULTILINE)
FORMS = [".csv", ".records.json"]
OPTIONS = {"rows", "columns", "value", "scale", "digits", "order", "titles", "drawn", "x"}
COLOURS = ["#1b6ca8", "#e07b39", "#5a9e6f", "#9d5c8f", "#7a7a7a", "#c2b34a"]


def git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def recordings():
    return json.loads(RECORDINGS.read_text())


def about(name):
    """Command, commit and date of the result of that name, or None if there is none."""
    file = RESULTS / (name + ".json")
    return json.loads(file.read_text()) if file.exists() else None


def listed():
    for name, one in sorted(recordings().items(), key=lambda item: item[1]["minutes"]):
        last = about(name)
        print(f"{one['minutes']:5} min  {name:24} {last['commit'] + ', ' + last['date'] if last else 'never':24} {one['command']}")


def sources():
    """The commit of the working tree, and what differs from it outside of the documentation."""
    return git("rev-parse", "--short=10", "HEAD"), git("status", "--porcelain", "--", ".", ":!docs")


def kept_command(one):
    """The command of a recording as it is kept beside the result."""
    return one["command"].replace("{out}", "OUT")


def require_recordings(names):
    """Ends the program if one of them is not in the list."""
    for name in names:
        if name not in recordings():
            sys.exit(f"figures: no recording {name}: figures list names all")


def record(name):
    """Runs the command of that name, and keeps its result."""
    one = recordings()[name]
    if "lines" not in one and "{out}" not in one["command"]:
        sys.exit(f"figures: the command of {name} has neither {{out}} nor lines")
    commit, changed = sources()
    if changed:
        sys.exit("figures: commit first, or no commit has what is measured:\n" + changed)
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "out"
        command = one["command"].replace("{out}", shlex.quote(str(out)))
        printed = []
        with subprocess.Popen(["sh", "-c", command], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
            for line in process.stdout:
                print(line, end="", flush=True)
                printed.append(line)
        # One-death ends with 1 where its goal is missed: the figures count all the same.
        if process.returncode not in one.get("exit_codes", [0]):
            sys.exit(f"figures: the command ended with {process.returncode}; nothing is kept")
        if sources() != (commit, ""):
            sys.exit("figures: the sources have changed in the meantime; nothing is kept")
        if "lines" in one:
            found = [match.groupdict() for match in map(re.compile(one["lines"]).search, printed) if match]
            if not found:
                sys.exit("figures: no line that was printed fits the expression of " + name)
            form, result = ".records.json", (json.dumps(found, indent=1) + "\n").encode()
        else:
            form, file = (".csv", out / "summary.csv") if out.is_dir() else (".records.json", out)
            if not file.exists():
                sys.exit(f"figures: the command of {name} has not written {file.relative_to(folder)}; nothing is kept")
            result = file.read_bytes()
    RESULTS.mkdir(parents=True, exist_ok=True)
    # An earlier result may have the other form.
    for each in FORMS:
        (RESULTS / (name + each)).unlink(missing_ok=True)
    (RESULTS / (name + form)).write_bytes(result)
    kept = {
        "command": kept_command(one),
        "commit": commit,
        "date": datetime.date.today().isoformat(),
    }
    (RESULTS / (name + ".json")).write_text(json.dumps(kept, indent=2) + "\n")


def rows_of(name):
    """The records that are kept under that name, as dictionaries; none if it was never recorded."""
    table = RESULTS / (name + ".csv")
    if table.exists():
        with table.open(newline="") as lines:
            return list(csv.DictReader(lines))
    file = RESULTS / (name + ".records.json")
    records = json.loads(file.read_text()) if file.exists() else []
    if isinstance(records, list):
        return records
    # The report of the loopback benchmark: cases, and runs in each.
    return [{"case": f"{case['receivers']} x {case['size_bytes'] >> 20} MiB", **run} for case in records["cases"] for run in case["runs"]]


def pivot(names, options, selected=lambda entry: True):
    """Row names, column names, and the median of the values of each cell with its 95 % half width, if there is one. Of the selected records."""
    scale = float(options.get("scale", 1))
    cells = {}
    rows, columns = [], []
    for name in names.split("+"):
        for entry in filter(selected, rows_of(name)):
            entry["recording"] = name
            if entry.get("strategy") == "exec":  # another program: the recording has its name
                entry["strategy"] = name
            row = ", ".join(entry[field] for field in options["rows"].split(","))
            for field in options["value"].split(","):
                column = entry[options["columns"]] if "columns" in options else field.replace("_", " ")
                value = entry.get(field)
                if value in (None, ""):
                    continue
                if row not in rows:
                    rows.append(row)
                if column not in columns:
                    columns.append(column)
                width = entry.get(field + "_half_width_95") or "nan"
                cells.setdefault((row, column), []).append((float(value) * scale, float(width) * scale))
    titles = titles_of(names, options, columns)
    cells = {(row, titles[column]): found for (row, column), found in cells.items() if column in titles}
    merged = {key: (statistics.median(v for v, _ in found), found[0][1] if len(found) == 1 else float("nan")) for key, found in cells.items()}
    return rows, [title for column, title in titles.items() if column in columns], merged


def titles_of(names, options, found):
    """The title of each column that is asked for, in order. A column that was not found keeps its title from the others."""
    if "order" in options:
        columns = options["order"].split(",")
    elif "columns" not in options:
        columns = [field.replace("_", " ") for field in options["value"].split(",")]
    elif options["columns"] == "recording":
        columns = names.split("+")
    else:
        columns = found
        if "titles" in options:
            sys.exit(f"figures: titles of {names} need an order")
    titles = options["titles"].replace("_", " ").split(",") if "titles" in options else columns
    if len(titles) != len(columns):
        sys.exit(f"figures: {len(titles)} titles for {len(columns)} columns of {names}")
    return dict(zip(columns, titles))


def source_line(names):
    """What was recorded of which commit on which day, and what was never recorded."""
    by_build = {}
    for name in names.split("+"):
        last = about(name)
        build = f"commit {last['commit']}, {last['date']}" if last else "not recorded yet"
        by_build.setdefault(build, []).append(name)
    return "; ".join(f"`robber-bench/bin/figures record {' '.join(group)}`: {build}" for build, group in by_build.items()) + "."


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
    return "\n".join(lines)


def bars(name, options):
    """Grouped bars as SVG: a group for each row, a colour for each column."""
    rows, columns, cells = pivot(name, options)
    top = max(value for value, _ in cells.values())
    bar, gap, height, left = 18, 22, 220, 46
    # About as wide as the letters are.
    labels = [row.removeprefix("tc1_") for row in rows]
    group = max(bar * len(columns) + gap, 6 * max(map(len, labels)) + 10)
    legend = [7 * len(column) + 26 for column in columns]
    width = left + max(group * len(rows), sum(legend)) + 10
    text = 'font-family="sans-serif" font-size="12"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height + 70}" {text}>',
             f'<rect width="{width}" height="{height + 70}" fill="white"/>']
    step = next(s for s in (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 25, 50, 100, 1000, 10000) if top / s <= 6)
    for mark in (round(step * i, 1) for i in range(int(top / step) + 1)):
        y = 20 + height - mark / top * height
        parts.append(f'<line x1="{left}" x2="{width - 6}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
        parts.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{mark:g}</text>')
    for i, row in enumerate(rows):
        x = left + (group - bar * len(columns)) / 2 + i * group
        for j, column in enumerate(columns):
            value = cells.get((row, column), (0, 0))[0]
            tall = value / top * height
            parts.append(f'<rect x="{x + j * bar:.1f}" y="{20 + height - tall:.1f}" width="{bar - 2}" height="{tall:.1f}" '
                         f'fill="{COLOURS[j % len(COLOURS)]}"><title>{html.escape(f"{row}, {column}: {value:.1f}")}</title></rect>')
        parts.append(f'<text x="{x + bar * len(columns) / 2:.1f}" y="{height + 38}" text-anchor="middle" '
                     f'font-size="10">{html.escape(labels[i])}</text>')
    for j, column in enumerate(columns):
        x = left + sum(legend[:j])
        parts.append(f'<rect x="{x}" y="{height + 50}" width="10" height="10" fill="{COLOURS[j % len(COLOURS)]}"/>')
        parts.append(f'<text x="{x + 15}" y="{height + 60}">{html.escape(column)}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def decades(values):
    """The powers of ten that enclose the values, as exponents."""
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def curves(name, options):
    """A diagram for each row as SVG, with a line for each column, over the numbers of the field x. Both scales are logarithmic; values of zero are left out."""
    points = {}
    for x in sorted({float(entry[options["x"]]) for each in name.split("+") for entry in rows_of(each)}):
        _, _, cells = pivot(name, options, lambda entry, at=x: float(entry[options["x"]]) == at)
        for (row, column), (value, _) in cells.items():
            if x > 0:
                points.setdefault(row, {}).setdefault(column, []).append((x, value))
    columns = list(dict.fromkeys(column for lines in points.values() for column in lines))
    left_x, right_x = decades([x for lines in points.values() for line in lines.values() for x, _ in line])
    low, high = decades([y for lines in points.values() for line in lines.values() for _, y in line])
    wide, tall, margin, across = 190, 130, 52, 3
    width = across * (wide + margin) + 14
    height = -(-len(points) // across) * (tall + margin) + 40
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="10">',
             f'<rect width="{width}" height="{height}" fill="white"/>']
    for i, (row, lines) in enumerate(points.items()):
        left = margin + i % across * (wide + margin)
        top = 24 + i // across * (tall + margin)

        def place(x, y, left=left, top=top):
            return (left + (math.log10(x) - left_x) / (right_x - left_x) * wide,
                    top + tall - (math.log10(y) - low) / (high - low) * tall)

        parts.append(f'<text x="{left + wide / 2}" y="{top - 8}" text-anchor="middle" font-size="12">{html.escape(row)}</text>')
        for power in range(low, high + 1):
            y = place(10 ** left_x, 10 ** power)[1]
            parts.append(f'<line x1="{left}" x2="{left + wide}" y1="{y:.1f}" y2="{y:.1f}" stroke="#ddd"/>')
            parts.append(f'<text x="{left - 5}" y="{y + 3:.1f}" text-anchor="end">{10.0 ** power:g}</text>')
        for power in range(left_x, right_x + 1, 2):
            x = place(10 ** power, 10 ** low)[0]
            parts.append(f'<text x="{x:.1f}" y="{top + tall + 14}" text-anchor="middle">{10 ** power:.0e}</text>')
        for column, line in lines.items():
            path = " ".join("{:.1f},{:.1f}".format(*place(x, y)) for x, y in line)
            colour = COLOURS[columns.index(column) % len(COLOURS)]
            parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
    for j, column in enumerate(columns):
        parts.append(f'<rect x="{margin + 120 * j}" y="{height - 20}" width="10" height="10" fill="{COLOURS[j % len(COLOURS)]}"/>')
        parts.append(f'<text x="{margin + 120 * j + 15}" y="{height - 11}" font-size="12">{html.escape(column)}</text>')
    return "\n".join(parts) + "\n</svg>\n"


def plot(page, name, options, plots, drawn=bars):
    """What shows the plot in the page; the plot itself goes into the dictionary, by file."""
    first = name.split("+")[0]
    file = PLOTS / (first + ".svg")
    drawing = drawn(name, options)
    if plots.setdefault(file, drawing) != drawing:
        sys.exit(f"figures: two plots would have the file {file.name}")
    return f"![{first}]({file.relative_to(page.parent).as_posix()})"


def written(page, plots):
    """The page with all blocks anew; plots go into the dictionary, by file."""
    text = page.read_text()
    blocks = list(BLOCK.finditer(text))
    whole = {line for match in blocks for line in (match.start(), match.end() - len("<!-- end -->"))}
    for line in BOUNDARY.finditer(text):
        if line.start() not in whole:
            sys.exit(f"figures: {page.name}: no block with beginning and end: {line.group(0)}")

    def block(match):
        kind, name = match.group(1), match.group(2)
        require_recordings(name.split("+"))
        options = dict(part.split("=", 1) for part in match.group(3).split())
        if not options.keys() <= OPTIONS or not {"rows", "value"} <= options.keys():
            sys.exit(f"figures: {page.name}: {kind} {name} needs rows and value, and has no options but {', '.join(sorted(OPTIONS))}")
        head = match.group(0).split("-->", 1)[0] + "-->"
        if not pivot(name, options)[0]:
            if any(rows_of(each) for each in name.split("+")):
                sys.exit(f"figures: {page.name}: {kind} {name}: no result has {options['value']}")
            body = source_line(name)
        elif kind == "table":
            body = table(name, options) + "\n\n" + source_line(name)
        elif kind == "plot":
            body = plot(page, name, options, plots)
        elif kind == "curves":
            body = plot(page, name, options, plots, curves) + " " + source_line(name)
        else:
            drawn = {**options, "order": options["drawn"]} if "drawn" in options else options
            body = table(name, options) + "\n\n" + plot(page, name, drawn, plots) + " " + source_line(name)
        return f"{head}\n{body}\n<!-- end -->"

    return BLOCK.sub(block, text)


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
    other = [name for name, one in recordings().items() if about(name) and about(name)["command"] != kept_command(one)]
    if check and other:
        sys.exit("figures: recorded by another command, run robber-bench/bin/figures record: " + ", ".join(other))


def main(arguments):
    if arguments == ["list"]:
        listed()
    elif len(arguments) > 1 and arguments[0] == "record":
        require_recordings(arguments[1:])
        for name in arguments[1:]:
            record(name)
    elif arguments in (["write"], ["check"]):
        write(arguments == ["check"])
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
