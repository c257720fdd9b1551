import { describe, expect, it } from "vitest";
import { metricsOfCsv } from "../../../../src/cli/tools/anomalies/csv.ts";

const HOLDS_NONE = "holds no number, and is left out.";

describe("CSV columns that are not metrics", () => {
  it.each<[string, string, object, string]>([
    ["a text", "secs,host\n1,h1\n2,\n", { secs: [1, 2] }, `Column "host" ${HOLDS_NONE}`],
    [
      "several",
      "host,secs,branch,version\nh1,1,main,1.2.3\n",
      { secs: [1] },
      'Columns "host", "branch", "version" hold no number, and are left out.',
    ],
    ["flags", "secs,ok\n1,true\n2,false\n", { secs: [1, 2] }, `Column "ok" ${HOLDS_NONE}`],
    [
      "rows of a metric without numbers",
      "metric,value\nsecs,1\nversion,1.2.3\n",
      { secs: [1] },
      `Metric "version" ${HOLDS_NONE}`,
    ],
    ["one without a name", ",secs\n0,5\n1,6\n", { secs: [5, 6] }, "A column without a name is left out."],
  ])("are left out with a note: %s", (_, text, metrics, note) =>
    expect(metricsOfCsv(text, "f")).toEqual({ metrics, notes: [note] }),
  );

  it("reads a quoted cell of any length", () => {
    const text = `note,seconds\n"${"x".repeat(20 << 20)}",1\n`;
    expect(metricsOfCsv(text, "f.csv", "seconds").metrics).toEqual({ seconds: [1] });
  });

  it("are not read when another metric is requested", () => {
    const text = "at,secs,host,load,x,x\n10,1,h1,fast,1,2\n20,2,h2,0.5,3,4\n";
    const secs = [
      { at: 10, value: 1 },
      { at: 20, value: 2 },
    ];
    expect(metricsOfCsv(text, "f", "secs")).toEqual({ metrics: { secs }, notes: [] });
    const rows = "metric,value,tag,tag\nsecs,1,a,b\nload,fast,a,b\n";
    expect(metricsOfCsv(rows, "f", "secs")).toEqual({ metrics: { secs: [1] }, notes: [] });
  });

  it.each([
    ["secs\n1\nfast\n", undefined, 'Row 3 of f has "fast" under "secs", which is no number.'],
    ["secs,host\n1,h1\n", "host", 'Row 2 of f has "h1" under "host", which is no number.'],
    ["host\nh1\n", undefined, 'Row 2 of f has "h1" under "host", which is no number.'],
    ["secs\n1\n\n\nfast\n", undefined, 'Row 5 of f has "fast" under "secs"'],
    ["secs\n1\n1e999\n", undefined, 'Row 3 of f has "1e999" under "secs", which is no number.'],
    ["secs,host\n1,h1\n", "load", 'f has no metric "load".'],
    ["x,x\n1,2\n", "x", 'f has two columns that are called "x".'],
    ["secs\n1,5\n", undefined, 'Row 2 of f has "5" behind its last column.'],
    ["at,secs\n10,1\n20,1,200\n", "secs", 'Row 3 of f has "200" behind its last column.'],
  ])("are an error if requested or partly numeric: %j", (text, metric, message) =>
    expect(() => metricsOfCsv(text, "f", metric)).toThrow(message),
  );
});

describe("CSV rows of names and values", () => {
  it.each(["Metric,Value", "METRIC,VALUE", "metric, Value "])("may have the header %s", (header) =>
    expect(metricsOfCsv(`${header}\na,1\nb,2\n`, "f").metrics).toEqual({ a: [1], b: [2] }),
  );
});

describe("a CSV table without a header", () => {
  const [at, named] = [1.79e9, (names: string) => `The first row is data: its columns are called ${names}.`];

  it.each<[string, string, object]>([
    ["numbers", "5\n6\n7\n", { "": [5, 6, 7] }],
    [
      "times and numbers",
      `${at},5\n${at + 60},6\n`,
      {
        "": [
          { at, value: 5 },
          { at: at + 60, value: 6 },
        ],
      },
    ],
    ["dates", "2026-01-05,5.5\n", { "": [{ at: "2026-01-05T00:00", value: 5.5 }] }],
    ["decimal commas", "2026-01-05 10:00;5,5\n", { "": [{ at: "2026-01-05T10:00", value: 5.5 }] }],
    ["numbers before times", "5\t2026-01-05\n", { "": [{ at: "2026-01-05T00:00", value: 5 }] }],
  ])("becomes one list of points if there is one metric: %s", (_, text, metrics) => {
    expect(metricsOfCsv(text, "f")).toEqual({ metrics, notes: [] });
    expect(metricsOfCsv(text, "f", "secs")).toEqual({ metrics, notes: [] });
  });

  it("gets numbered columns", () => {
    expect(metricsOfCsv("1,,2\n3,4,\n", "f")).toEqual({
      metrics: { column1: [1, 3], column2: [4], column3: [2] },
      notes: [named("column1, column2, column3")],
    });
    expect(metricsOfCsv("2026-01-05T10:00,5,h1\n2026-01-05T10:01,6,h1\n", "f", "column2")).toEqual({
      metrics: {
        column2: [
          { at: "2026-01-05T10:00", value: 5 },
          { at: "2026-01-05T10:01", value: 6 },
        ],
      },
      notes: [named("column1, column2, column3")],
    });
  });

  it.each(["at,2025,2026\n10,1,2\n", "host,2025\nh1,1\n"])("has no name in its first row: %j", (text) =>
    expect(Object.keys(metricsOfCsv(text, "f").metrics)).toContain("2025"),
  );
});

describe("CSV columns of times", () => {
  const day = { at: "2026-01-05T10:00", value: 5 };

  it.each<[string, string, object, string[]]>([
    ["a date and a clock", "time,date,secs\n10:00,2026-01-05,5\n", { secs: [day] }, []],
    [
      "a clock without a leading zero",
      "Date,Time,secs\n2026-01-05,9:30:00,5\n2026-01-05,10:30:00,6\n",
      {
        secs: [
          { at: "2026-01-05T09:30:00", value: 5 },
          { at: "2026-01-05T10:30:00", value: 6 },
        ],
      },
      [],
    ],
    [
      "one with dates in another notation",
      "Zeit;secs\n05.01.2026 9:30;5\n",
      { secs: [5] },
      ['Column "Zeit" is left out: dates are read as 2026-01-05 10:00, and it has others.'],
    ],
    [
      "both whole",
      "time,date,secs\n2026-01-05 10:00,2026-01-05,5\n",
      { secs: [day] },
      ['"date" is left out: times are those of "time".'],
    ],
    [
      "one counted since 1970",
      "timestamp,at,secs\n2026-01-05T10:00,1767607200,5\n",
      { secs: [day] },
      ['"at" is left out: times are those of "timestamp".'],
    ],
    [
      "one a duration",
      "time,date,secs\n3.5,2026-01-05 10:00,5\n",
      { secs: [day], time: [{ ...day, value: 3.5 }] },
      [],
    ],
    [
      "one of another name",
      "created,secs\n2026-01-05 10:00,5\n",
      { secs: [day] },
      ['Times are those of "created".'],
    ],
    ["ts", "ts,secs\n1790000000,5\n", { secs: [{ at: 1.79e9, value: 5 }] }, []],
  ])("are chosen and combined: %s", (_, text, metrics, notes) =>
    expect(metricsOfCsv(text, "f")).toEqual({ metrics, notes }),
  );

  it.each([
    ["at,secs\n10,1\nsoon,2\n", 'Row 3 of f has "soon" under "at", which is no time.'],
    ["at,secs\n2026-01-05,1\n2026-02-30,2\n", 'Row 3 of f has "2026-02-30" under "at", which is no time.'],
    ["at,secs\n10,1\n,2\n", 'Row 3 of f has "" under "at", which is no time.'],
    [
      "date,time,secs\n2026-01-05,10:00,1\n2026-01-05,25:00,1\n",
      'Row 3 of f has "2026-01-05 25:00" under "date" and "time", which is no time.',
    ],
  ])("are refused with the row of an invalid time: %j", (text, message) =>
    expect(() => metricsOfCsv(text, "f")).toThrow(message),
  );

  it("must hold a time in every row if their name is an ordinary one", () =>
    expect(metricsOfCsv("secs,released\n5,2026-01-05\n6,\n", "f")).toEqual({
      metrics: { secs: [5, 6] },
      notes: [`Column "released" ${HOLDS_NONE}`],
    }));

  it("need a time only in rows with a point", () =>
    expect(metricsOfCsv("at,secs\n10,1\nsoon,\n", "f").metrics).toEqual({ secs: [{ at: 10, value: 1 }] }));
});

describe("line ends of CSV", () => {
  it.each(["\n", "\r\n", "\r"])("may be %j", (end) =>
    expect(metricsOfCsv(["secs", "1", "2"].join(end), "f").metrics).toEqual({ secs: [1, 2] }),
  );
});

describe("the first line of spreadsheets that names the separator", () => {
  it.each<[string, string]>([
    ["a semicolon", "sep=;\r\nat;secs\r\n10;1,5\r\n"],
    ["a comma", "sep=,\nat,secs\n10,1.5\n"],
    ["a tab", "sep=\t\nat\tsecs\n10\t1.5\n"],
    ["a bar", "SEP=|\nat|secs\n10|1.5\n"],
    ["a circumflex", "sep=^\nat^secs\n10^1.5\n"],
    ["quoted", '"sep=;"\nat;secs\n10;1.5\n'],
    ["after a byte order mark", "\ufeffsep=;\nat;secs\n10;1.5\n"],
  ])("is no row: %s", (_, text) =>
    expect(metricsOfCsv(text, "f")).toEqual({ metrics: { secs: [{ at: 10, value: 1.5 }] }, notes: [] }),
  );

  it("is counted as editors count it", () =>
    expect(() => metricsOfCsv("sep=;\nsecs\n1\nfast\n", "f")).toThrow('Row 4 of f has "fast"'));

  it("is a name where nothing else can be meant", () =>
    expect(metricsOfCsv("sep=\n1\n2\n", "f").metrics).toEqual({ "sep=": [1, 2] }));
});

describe("CSV numbers", () => {
  it("may have a decimal comma between tabs, unless it could stand between thousands", () => {
    const values = (...cells: string[]) => metricsOfCsv(`v\tw\n${cells.join("\t1\n")}\t1\n`, "f").metrics.v;
    expect(values("1,5", "2,25", "12,500", "3")).toEqual([1.5, 2.25, 12.5, 3]);
    expect(values("0,125", "3")).toEqual([0.125, 3]);
    expect(() => values("980", "1,020")).toThrow('Row 3 of f has "1,020" under "v", which is no number.');
    expect(() => values("1,5", "1,020,000")).toThrow('Row 3 of f has "1,020,000" under "v"');
  });

  it("are noted if a dot could stand between thousands", () => {
    const notes = (cells: string) => metricsOfCsv(`at;v\n10;${cells.replaceAll(" ", "\n10;")}\n`, "f").notes;
    expect(notes("980 1.020 995")).toEqual([
      '"v" has 1.020: the dot is read as a decimal point, not between thousands.',
    ]);
    expect([notes("980 1.02"), notes("1.020 1.030"), notes("0.125 3"), notes("980 1.020 1.5")]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it("are refused with marks between thousands or units, and the reason is told", () => {
    for (const cell of ["1.020,5", "45%", "NaN"]) {
      const refused = () => metricsOfCsv(`at;v\n10;5\n11;${cell}\n`, "f");
      expect(refused).toThrow(`Row 3 of f has "${cell}" under "v", which is no number.`);
      expect(refused).toThrow(
        expect.objectContaining({
          next: expect.stringContaining("without a unit or marks between thousands"),
        }),
      );
    }
  });
});

describe("CSV with a column of clocks beside one of dates", () => {
  const at = (time: string, value: number) => ({ at: `2026-01-${time}`, value });
  const TIMES = 'Times are those of "Date" and "Uhrzeit".';

  it.each([
    ["forwards", "5\n", ["05;9:00;1", "05;10:00;2", "06;09:00;3"]],
    ["backwards", "5\n", ["06;09:00;3", "05;10:00;2", "05;9:00;1"]],
  ])("takes it for the time of day, whatever it is called: %s", (_, __, rows) => {
    const text = `Date;Uhrzeit;secs\n${rows.map((row) => `2026-01-${row}\n`).join("")}`;
    const secs = rows.map((row) => {
      const [day, clock = "", value] = row.split(";");
      return at(`${day}T${clock.padStart(5, "0")}`, Number(value));
    });
    expect(metricsOfCsv(text, "f")).toEqual({ metrics: { secs }, notes: [TIMES] });
  });

  it.each([
    ["durations", "Date,took,secs\n2026-01-05,00:01:43,1\n2026-01-05,00:01:12,2\n2026-01-06,00:02:00,3\n"],
    ["one a day", "Date,took,secs\n2026-01-05,00:01:43,1\n2026-01-06,00:01:50,2\n"],
    ["always the same", "Date,took,secs\n2026-01-05,00:10,1\n2026-01-05,00:10,2\n"],
    ["a row without one", "Date,took,secs\n2026-01-05,09:10,1\n2026-01-05,,2\n2026-01-05,09:20,3\n"],
    ["a row with a text", "Date,took,secs\n2026-01-05,09:10,1\n2026-01-05,late,2\n2026-01-05,09:20,3\n"],
  ])("does not take other clocks for it: %s", (_, text) => {
    const { metrics, notes } = metricsOfCsv(text, "f");
    expect(metrics.secs?.[0]).toEqual(at("05T00:00", 1));
    expect(notes).toEqual([`Column "took" ${HOLDS_NONE}`]);
  });

  it("takes the first of two, the start and the end", () => {
    const text = "Date,Start,End,secs\n2026-01-05,09:00,09:10,1\n2026-01-05,10:00,10:10,2\n";
    expect(metricsOfCsv(text, "f").metrics).toEqual({ secs: [at("05T09:00", 1), at("05T10:00", 2)] });
  });
});

describe("CSV whose rows of the same time are told apart by a text", () => {
  const NOTE =
    'Rows of the same time differ by "datname" ("app", "test"), but are judged as one series. Give a file for each, or rows of "metric" and "value".';

  it("is judged as one series, and a note says so", () => {
    const rows = [0, 1, 2].flatMap((hour) => [
      `2026-01-05 1${hour}:00,app,5`,
      `2026-01-05 1${hour}:00,test,900`,
    ]);
    expect(metricsOfCsv(`now,datname,backends\n${rows.join("\n")}\n`, "f").notes).toContain(NOTE);
    const dated = rows.map((row) => row.replace(" ", "T").replaceAll(",", ";"));
    expect(metricsOfCsv(`at;datname;backends\n${dated.join("\n")}\n`, "f").notes).toContain(NOTE);
  });

  it("is told of a metric that was asked for, and by no other metric", () => {
    const rows = [1, 2, 3, 4].flatMap((day) => [`2026-01-0${day},5,app,1`, `2026-01-0${day},7,test,2`]);
    const read = (names: string) => metricsOfCsv(`${names}\n${rows.join("\n")}\n`, "f", "backends").notes;
    expect(read("at,load,datname,backends")).toEqual([NOTE]);
  });

  it.each([
    ["one value", "at,host,x\n2026-01-05,a,1\n2026-01-05,a,2\n"],
    ["other times", "at,host,x\n2026-01-05,a,1\n2026-01-06,b,2\n"],
    ["no times", "host,x\na,1\nb,2\n"],
    [
      "few repeated, as where clocks are put back",
      `at,host,x\n${[1, 2, 2, 3, 4, 5].map((hour, index) => `2026-10-25 0${hour}:00,h${index},1\n`).join("")}`,
    ],
    ["rows of metrics", "at,metric,value\n2026-01-05,a,1\n2026-01-05,b,2\n"],
  ])("is nothing to be told with %s", (_, text) => {
    expect(metricsOfCsv(text, "f").notes.join()).not.toContain("judged as one series");
  });
});
