import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import type { Ledger } from "../../../../src/engine/ledger/ledger.ts";
import type { SharedOptions } from "../../../../src/engine/ledger/machines/export-rows.ts";
import { cursorIn, textOfCursor } from "../../../../src/engine/ledger/machines/cursor.ts";
import {
  LineSplitter,
  readSharedLine,
  type SharedLine,
} from "../../../../src/engine/ledger/machines/shared-lines.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { appendEntries, open, response } from "../support/support.ts";

const machine = { id: "01234567-89ab-cdef-0123-456789abcdef", label: "desk" };
const whole: SharedOptions = { cursor: null, withTitles: false, withPaths: false, asOf: 5 };
const ports = { machine, restored: "", sharedNameOf: () => "api#0123456789abcdef", now: 99 };

async function textOf(
  ledger: Ledger,
  options: Partial<SharedOptions> = {},
  over: Partial<typeof ports> = {},
) {
  let text = "";
  for await (const bytes of ledger.exportRows({ ...whole, ...options }, { ...ports, ...over }))
    text += Buffer.from(bytes).toString("utf8");
  return text;
}

async function linesOf(...args: Parameters<typeof textOf>): Promise<readonly SharedLine[]> {
  return (await textOf(...args)).trim().split("\n").map(readSharedLine);
}

function rowsIn(lines: readonly SharedLine[]) {
  return lines.flatMap((line) => (line.kind === "row" ? [line.row] : []));
}

function endOf(lines: readonly SharedLine[]): string {
  const last = lines.at(-1);
  assert.ok(last?.kind === "end");
  return last.cursor;
}

const secret: readonly LedgerEntry[] = [
  {
    kind: "session",
    id: "session-1",
    program: "codex",
    cwd: "/home/me/secret-place",
    title: "a secret title",
    branch: "main",
  },
  { kind: "subagent", sessionId: "session-1", agentId: "a1", type: "tester", description: "a secret task" },
  { kind: "file-read", id: "call-2", sessionId: "session-1", path: "/home/me/secret-place/x" },
  {
    kind: "tool-call",
    id: "call-1",
    sessionId: "session-1",
    messageId: "msg_1",
    tool: "Bash",
    isError: false,
    resultChars: 3,
  },
  response(1, { cwd: "/home/me/secret-place", agentId: "a1", raw: { thoughts: 4 } }),
];

async function filled(t: TestContext, ...more: LedgerEntry[]): Promise<Ledger> {
  const ledger = await open(t, scratchFolder(t));
  await appendEntries(ledger, ...secret, ...more);
  return ledger;
}

describe("rows for another machine", () => {
  it("hold names, sizes and counts; titles and paths only if asked for", async (t) => {
    const ledger = await filled(t);
    const text = await textOf(ledger);
    assert.doesNotMatch(text, /secret|home/u);
    const lines = await linesOf(ledger);
    assert.ok(lines.every(({ kind }) => kind !== "unreadable"));
    assert.deepEqual(lines[0], {
      kind: "header",
      purser: "machine",
      format: 1,
      ...machine,
      since: null,
      now: 99,
      asOf: 5,
    });
    assert.deepEqual(
      rowsIn(lines).map(({ kind }) => kind),
      ["session", "subagent", "tool-call", "response"],
    );
    const all = await textOf(ledger, { withTitles: true, withPaths: true });
    for (const words of ["a secret title", "a secret task", "desk:/home/me/secret-place#0123456789abcdef"])
      assert.ok(all.includes(words), words);
    assert.doesNotMatch(all, /secret-place\/x/u, "files that were read stay here");
  });

  it("are those that changed since a cursor, with retractions, and never another machine's", async (t) => {
    const ledger = await filled(t, { kind: "machine-row", machine: "b", version: 1, row: response(9) });
    const first = endOf(await linesOf(ledger));
    assert.deepEqual(rowsIn(await linesOf(ledger, { cursor: first })), []);
    await appendEntries(ledger, response(2));
    await appendEntries(ledger, response(1, { usage: { ...response(1).usage, output: 77 } }));
    const next = await linesOf(ledger, { cursor: first });
    assert.deepEqual(
      rowsIn(next).map((row) => (row.kind === "response" ? [row.messageId, row.usage.output] : row.kind)),
      [
        ["msg_1", 77],
        ["msg_2", 2],
      ],
    );
    await appendEntries(ledger, { kind: "forget-responses", sessionId: "session-1" });
    const last = await linesOf(ledger, { cursor: endOf(next) });
    assert.deepEqual(
      last.map(({ kind }) => kind),
      ["header", "retraction", "cursor", "end"],
    );
  });

  it("go on where an export was cut, also after changes, and begin anew for another ledger", async (t) => {
    const many = Array.from({ length: 1200 }, (_, index) =>
      response(index + 1, { sessionId: `s-${index % 7}` }),
    );
    const ledger = await filled(t, ...many);
    const lines = await linesOf(ledger);
    const cut = lines.findIndex(({ kind }, index) => kind === "cursor" && index > 600);
    const place = lines[cut];
    assert.ok(place?.kind === "cursor");
    await appendEntries(ledger, response(1500), response(3, { usage: { ...response(3).usage, output: 99 } }));
    const rest = await linesOf(ledger, { cursor: place.cursor });
    const later = await linesOf(ledger, { cursor: endOf(rest) });
    const ids = [...lines.slice(0, cut), ...rest, ...later].flatMap((line) =>
      line.kind === "row" && line.row.kind === "response" ? [line.row.messageId] : [],
    );
    assert.equal(new Set(ids).size, 1201);
    assert.equal(ids.length, 1202, "only the changed row comes twice");
    assert.equal(rest[0]?.kind === "header" && rest[0].since, place.cursor);
    const restored = await linesOf(ledger, { cursor: endOf(rest) }, { restored: "x1" });
    assert.equal(restored[0]?.kind === "header" && restored[0].since, null);
    assert.ok(rowsIn(restored).length > 1200);
  });
});

describe("a line from another machine", () => {
  it("never throws, and is clean or refused", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.string().map((text) => `{"version":1,"row":${text}}`),
        ),
        (text) => {
          assert.ok(typeof readSharedLine(text).kind === "string");
        },
      ),
    );
    const lineOf = (row: object) => readSharedLine(JSON.stringify({ version: 1, row }));
    const bad = "Ba\u001b[31msh\u202e";
    assert.deepEqual(lineOf({ kind: "tool-call", id: "c", sessionId: "s", tool: bad }), {
      kind: "row",
      version: 1,
      row: readRow({ kind: "tool-call", id: "c", sessionId: "s", tool: "Bash" }),
    });
    assert.equal(lineOf({ kind: "tool-call", id: bad, sessionId: "s" }).kind, "unreadable");
    const session = lineOf({ kind: "session", id: "s", cwd: "/home/me/api" });
    assert.ok(session.kind === "row" && session.row.kind === "session");
    assert.equal(session.row.cwd, null, "no other machine names a folder of this one");
    for (const row of [
      { kind: "position", path: "/x", identity: "", offset: 0 },
      { kind: "rule", id: "r" },
      { kind: "forget-machine", id: "x" },
    ])
      assert.equal(lineOf(row).kind, "unreadable", row.kind);
    assert.equal(readSharedLine(JSON.stringify({ cursor: "1; rm -rf /" })).kind, "unreadable");
  });

  it("is whole wherever its bytes were cut, and refused when it is too long", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.array(fc.nat(60)), (texts, cuts) => {
        const lines = texts.map((text) => text.replaceAll("\n", " ")).filter((text) => text !== "");
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join(""));
        const splitter = new LineSplitter();
        const found: (string | null)[] = [];
        let start = 0;
        for (const cut of [...cuts, bytes.length]) {
          found.push(...splitter.add(bytes.subarray(start, start + cut)));
          start += cut;
        }
        assert.deepEqual(
          found,
          lines.map((line) => Buffer.from(line).toString("utf8")),
        );
      }),
    );
    const splitter = new LineSplitter();
    const long = Buffer.alloc((1 << 20) + 5, "x");
    assert.deepEqual(splitter.add(long), []);
    assert.deepEqual(splitter.add(Buffer.from("y\nshort\n")), [null, "short"]);
  });

  it("has a cursor that is read as it was written", () => {
    const none = { ledger: "none", version: -1, part: null };
    const part = fc.option(fc.record({ until: fc.nat(), table: fc.nat(9), row: fc.nat() }));
    const cursor = fc.record({
      ledger: fc.stringMatching(/^[0-9a-z]{1,20}$/u),
      version: fc.integer({ min: -1 }),
      part,
    });
    fc.assert(
      fc.property(cursor, (one) =>
        assert.equal(textOfCursor(cursorIn(textOfCursor(one)) ?? none), textOfCursor(one)),
      ),
    );
    fc.assert(
      fc.property(fc.string(), (text) => assert.ok(cursorIn(text) === undefined || /^[\w.]+$/u.test(text))),
    );
  });
});

function readRow(row: object) {
  const line = readSharedLine(JSON.stringify({ version: 0, row }));
  assert.ok(line.kind === "row");
  return line.row;
}
