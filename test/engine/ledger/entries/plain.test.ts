import assert from "node:assert/strict";
import test from "node:test";
import fc from "fast-check";
import { ledgerEntry, type LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { decodeLine, LineWriter } from "../../../../src/engine/ledger/journal/line.ts";
import { isPlainEntry } from "../../../../src/engine/ledger/entries/plain.ts";
import { everyKind } from "../support/every-kind.ts";

const strange = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      null,
      undefined,
      true,
      0,
      -1,
      1.5,
      -0,
      NaN,
      Infinity,
      2 ** 53,
      -(2 ** 53),
      "",
      "real",
      [],
      {},
      new Map(),
    ],
    ...[
      "x".repeat(200),
      "x".repeat(201),
      "x".repeat(4096),
      "x".repeat(4097),
      { a: 1 },
      { a: "1" },
      { ["k".repeat(101)]: 1 },
    ],
    ...[{ input: 1, output: 2, cacheCreation5m: 3, cacheCreation1h: 4, cacheRead: 5 }, { input: 1 }, () => 1],
  ),
  fc.jsonValue(),
);

/** Entry kinds that are very frequent or large. */
const frequent = [
  "response",
  "tool-call",
  "file-read",
  "run",
  "hook-event",
  "position",
  "context-fill",
  "session",
];

test("The handwritten check accepts only valid entries; for frequent kinds it accepts all of them", () => {
  const plain = everyKind.filter((entry) => isPlainEntry(entry)).map(({ kind }) => kind);
  for (const kind of frequent)
    assert.ok(
      plain.some((each) => each === kind),
      kind,
    );
  const kinds = fc.constantFrom(...everyKind);
  const one = kinds.chain((entry) =>
    fc.record({
      entry: fc.constant(entry),
      field: fc.constantFrom(...fieldsOf(entry)),
      value: strange,
      isLeftOut: fc.boolean(),
    }),
  );
  fc.assert(
    fc.property(one, ({ entry, field, value, isLeftOut }) => {
      const changed: Record<string, unknown> = { ...entry, [field]: value, another: "thing" };
      if (isLeftOut) Reflect.deleteProperty(changed, field);
      const isEntry = ledgerEntry.safeParse(changed).success && plain.includes(entry.kind);
      assert.equal(isPlainEntry(changed), isEntry, `${entry.kind}.${field}`);
    }),
    { numRuns: 3000 },
  );
});

test("A value that is not an object is not an entry", () => {
  fc.assert(fc.property(strange, (value) => !isPlainEntry(value)));
  assert.equal(isPlainEntry(Object.create({ kind: "forget-positions" })), false);
});

/** All fields, present or not. */
function fieldsOf(entry: LedgerEntry): [string, ...string[]] {
  const schema = ledgerEntry.def.options.find(({ shape }) => shape.kind.def.values[0] === entry.kind);
  return ["kind", ...Object.keys(schema?.shape ?? {})];
}

test("A line of the journal returns its entry, whatever its characters and length", () => {
  const text = fc.string({ unit: "binary", minLength: 1, maxLength: 300 });
  const entries = fc.array(
    fc.record({
      kind: fc.constant("session" as const),
      id: fc.oneof(
        text,
        fc.nat(4000).map((length) => "é".repeat(length + 1)),
      ),
      title: fc.option(fc.string({ unit: "grapheme", maxLength: 60 })),
      lastAt: fc.option(fc.maxSafeInteger()),
    }),
    { minLength: 1, maxLength: 60 },
  );
  fc.assert(
    fc.property(entries, fc.nat(), (reported, first) => {
      const writer = new LineWriter();
      for (const [index, entry] of reported.entries()) writer.add({ number: first + index, entry });
      const bytes = writer.bytes();
      const lines = bytes.toString("utf8").split("\n");
      assert.equal(lines.pop(), "");
      assert.equal(lines.length, reported.length);
      let start = 0;
      for (const [index, entry] of reported.entries()) {
        const end = bytes.indexOf(0x0a, start);
        const line = decodeLine(bytes.subarray(start, end), -1);
        // A lone surrogate is written as the replacement character.
        const written = ledgerEntry.parse(JSON.parse(Buffer.from(JSON.stringify(entry)).toString("utf8")));
        assert.ok(line.kind === "entry");
        assert.deepEqual([line.number, ledgerEntry.parse(line.entry)], [first + index, written]);
        start = end + 1;
      }
    }),
    { numRuns: 60 },
  );
});
