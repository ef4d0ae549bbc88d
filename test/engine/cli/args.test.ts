import { assert } from "../support/assert-texts.ts";
import { describe, it } from "node:test";
import fc from "fast-check";
import { number, numberIn, oneOf, parseOptions } from "../../../src/engine/cli/args.ts";
import { parseDay } from "../../../src/engine/cli/day-argument.ts";

const specs = {
  by: { value: "day or model" },
  kind: oneOf(["a", "b"]),
  since: { value: "a day", accepts: (text: string) => text === "today" },
  json: {},
  help: {},
};

describe("options", () => {
  const right: [string[], Record<string, string | undefined>][] = [
    [[], {}],
    [["--json"], { json: "" }],
    [["--by", "day"], { by: "day" }],
    [["--by=day", "--json"], { by: "day", json: "" }],
    [["--by", "day", "--by", "model"], { by: "model" }],
    [["--by", "-1"], { by: "-1" }],
    [["--kind", "b", "--since=today"], { kind: "b", since: "today" }],
    [["-h"], { help: "" }],
  ];
  for (const [argv, expected] of right) {
    it(`are read from: ${argv.join(" ") || "nothing"}`, () => {
      const parsed = parseOptions(argv, specs);
      assert.ok(parsed.ok);
      for (const name of Object.keys(specs)) assert.equal(parsed.value.value(name), expected[name]);
    });
  }

  const wrong: [string[], string][] = [
    [["--bye"], 'unknown option "--bye"; did you mean --by?'],
    [["-x"], 'unknown option "-x"'],
    [["--jsn=1"], 'unknown option "--jsn=1"; did you mean --json?'],
    [["json"], 'unexpected argument "json"; did you mean --json?'],
    [["everything"], 'unexpected argument "everything"'],
    [["--by"], "--by needs a value: day or model"],
    [["--by="], "--by needs a value: day or model"],
    [["--by", "--json"], "--by needs a value: day or model"],
    [["--json=yes"], "--json takes no value; give just --json"],
    [["--kind", "a", "--kind", "c"], '--kind "c" is not one of a, b'],
    [["--since=soon"], '--since "soon" is not a day'],
    [["--constructor"], 'unknown option "--constructor"'],
  ];
  for (const [argv, detail] of wrong) {
    it(`are refused in one line: ${argv.join(" ")}`, () => {
      assert.deepEqual(parseOptions(argv, specs), { ok: false, reason: "bad_argument", detail });
    });
  }

  it("are never more than one line of error, for any input", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (argv) => {
        const parsed = parseOptions(argv, specs);
        assert.ok(parsed.ok || !/[\n\r\u001b]/u.test(parsed.detail.text));
      }),
    );
  });
});

describe("an option with a number", () => {
  const limited = { rows: number("N", "only the first rows", { from: 1, to: 200 }) };

  it("is read as a number, and is null if not given", () => {
    const parsed = parseOptions(["--rows", "200"], limited);
    assert.ok(parsed.ok);
    assert.deepEqual([numberIn(parsed.value, "rows"), numberIn(parsed.value, "other")], [200, null]);
  });

  for (const text of ["0", "201", "-1", "1.5", "1e2", "many", "9".repeat(400)])
    it(`is refused with its range: ${text.slice(0, 5)}`, () => {
      const parsed = parseOptions([`--rows=${text}`], limited);
      assert.ok(!parsed.ok);
      assert.match(parsed.detail.text, /is not a number from 1 to 200$/u);
    });
});

describe("days", () => {
  const now = new Date(2026, 10, 21, 10).getTime();
  const cases: [string, string | undefined][] = [
    ["2026-11-21", "2026-11-21"],
    ["20261121", "2026-11-21"],
    ["today", "2026-11-21"],
    ["yesterday", "2026-11-20"],
    ["0d", "2026-11-21"],
    ["30d", "2026-10-22"],
    ["2028-02-29", "2028-02-29"],
    ["2026-02-29", undefined],
    ["2026-13-01", undefined],
    ["2026-1-1", undefined],
    ["last week", undefined],
    ["", undefined],
  ];
  for (const [text, day] of cases) {
    it(`${JSON.stringify(text)} is ${day ?? "none"}`, () => {
      assert.equal(parseDay(text, now), day);
    });
  }
});
