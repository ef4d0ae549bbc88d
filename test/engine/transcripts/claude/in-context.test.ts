import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import fc from "fast-check";
import { findCallsInContext } from "../../../../src/engine/transcripts/claude/in-context/in-transcript.ts";

type Row = Readonly<Record<string, unknown>>;

const folder = mkdtempSync(join(tmpdir(), "purser-standing-"));
after(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;

function transcriptOf(rows: readonly unknown[]): string {
  const path = join(folder, `${(files += 1)}.jsonl`);
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return path;
}

const prompt = (uuid: string, parentUuid: string | null): Row => ({ parentUuid, type: "user", uuid });
const call = (id: string, parentUuid: string, more: object = {}): Row => ({
  parentUuid,
  type: "assistant",
  uuid: `row-${id}`,
  message: {
    content: [
      { type: "text", text: "Now." },
      { type: "tool_use", id },
    ],
    ...more,
  },
});
const output = (id: string, text = "text"): Row => ({
  parentUuid: `row-${id}`,
  type: "user",
  uuid: `out-${id}`,
  message: { content: [{ type: "tool_result", tool_use_id: id, content: text }] },
});
const between = (row: Row): Row[] => [
  prompt("p", null),
  call("old", "p"),
  output("old"),
  row,
  prompt("q", "out-old"),
  call("new", "q"),
];
const asked = async (rows: readonly unknown[], earlier = ["old"]) => [
  ...(await findCallsInContext(transcriptOf(rows), { present: "new", earlier })),
];

test("waits briefly for the present call, as the agent writes it late", async () => {
  const all = between({ type: "last-prompt", leafUuid: "x" });
  const path = transcriptOf(all.slice(0, -1));
  const found = findCallsInContext(path, { present: "new", earlier: ["old"] });
  appendFileSync(path, `${JSON.stringify(all.at(-1))}\n`);
  assert.deepEqual([...(await found)], ["old"]);
  const compacted = transcriptOf([...all.slice(0, -1), { type: "summary", uuid: "c" }]);
  assert.deepEqual([...(await findCallsInContext(compacted, { present: "new", earlier: ["old"] }))], []);
});

test("finds a call on the present call's branch, and none that was taken back", async () => {
  const plain = between({ type: "last-prompt", leafUuid: "x" });
  assert.deepEqual(await asked(plain), ["old"]);
  const back = [prompt("p", null), call("old", "p"), output("old"), prompt("q", "p"), call("new", "q")];
  assert.deepEqual(await asked(back), []);
  assert.deepEqual(await asked(plain.slice(2)), [], "the beginning is missing");
  assert.deepEqual(await asked(plain.slice(0, -1)), [], "where the present call is not written yet");
  assert.deepEqual(await asked(plain, ["other", "new"]), []);
  const parallel = [prompt("p", null), call("old", "p"), call("b", "row-old"), output("old"), output("b")];
  assert.deepEqual(await asked([...parallel, prompt("q", "out-b"), call("new", "q")]), ["old"]);
});

test("ends the search at a row that may have cleared outputs, or is unknown", async () => {
  const cleared = { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_tool_uses: 1 }] };
  const thought = { applied_edits: [{ type: "clear_thinking_20251015" }] };
  const side = { ...call("x", "out-old"), isSidechain: true };
  for (const [row, stands] of [
    [{ type: "system", subtype: "compact_boundary", uuid: "c", parentUuid: null }, false],
    [{ type: "system", subtype: "microcompact_boundary", uuid: "c", parentUuid: "out-old" }, false],
    [{ type: "system", subtype: "turn_duration", uuid: "c", parentUuid: "out-old" }, true],
    [{ type: "system", uuid: "c" }, false],
    [{ type: "content-replacement", replacements: [] }, false],
    [{ type: "new-in-2027" }, false],
    [{ ...prompt("c", "out-old"), isCompactSummary: true }, false],
    [{ ...prompt("c", "out-old"), replacesSpan: true }, false],
    [call("x", "out-old", { context_management: cleared }), false],
    [call("x", "out-old", { context_management: { client_cut_tool_uses: 2 } }), false],
    [call("x", "out-old", { context_management: { client_cut_tool_uses: "2" } }), false],
    [call("x", "out-old", { context_management: { ...thought, client_cut_tool_uses: 0 } }), true],
    [call("x", "out-old", { context_management: null }), true],
    [side, true],
  ] as const)
    assert.deepEqual(await asked(between(row)), stands ? ["old"] : [], JSON.stringify(row));
  const own = call("new", "q", { context_management: cleared });
  assert.deepEqual(await asked([...between(side).slice(0, -1), own]), []);
});

test("finds nothing in a file that is not a transcript, and skips a half-written line", async () => {
  const calls = { present: "new", earlier: ["old"] };
  assert.deepEqual([...(await findCallsInContext(join(folder, "none"), calls))], []);
  assert.deepEqual([...(await findCallsInContext(folder, calls))], []);
  const path = transcriptOf(between(prompt("c", "out-old")));
  appendFileSync(path, '{"type":"system","subtype":"compact_bou');
  assert.deepEqual([...(await findCallsInContext(path, calls))], ["old"]);
  appendFileSync(path, "\n");
  assert.deepEqual([...(await findCallsInContext(path, calls))], []);
  assert.deepEqual(await asked([[], null, 5]), []);
});

test("finds a call behind outputs larger than one read, and does not search too far back", async () => {
  const far = (size: number) => between({ ...output("old", "å\n".repeat(size)), uuid: "c" });
  assert.deepEqual(await asked(far(300_000)), ["old"]);
  assert.deepEqual(await asked(far(3_000_000)), []);
});

/** A session of prompts and calls. Each one follows any earlier row, mostly the last one. */
const turns = fc.array(
  fc.record({
    from: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(20)),
    what: fc.oneof(
      { weight: 8, arbitrary: fc.constant("call" as const) },
      { weight: 3, arbitrary: fc.constant("prompt" as const) },
      { weight: 1, arbitrary: fc.constantFrom("compaction" as const, "idle" as const) },
    ),
  }),
  { minLength: 1, maxLength: 25 },
);

test("in any tree of turns, finds exactly the calls on the present call's branch", async () => {
  let found = 0;
  await fc.assert(
    fc.asyncProperty(turns, async (all) => {
      const rows: Row[] = [prompt("start", null)];
      /** The calls in the context after each row. */
      const contexts = new Map<string, readonly string[]>([["start", []]]);
      let sinceCompaction = new Set<string>();
      const uuids = ["start"];
      for (const [at, { from, what }] of [...all, { from: 0, what: "call" as const }].entries()) {
        const parent = uuids.at(-1 - (from % uuids.length)) ?? "start";
        const before = contexts.get(parent) ?? [];
        const id = at === all.length ? "new" : `c${at}`;
        if (what === "idle") rows.push({ type: "mode", mode: "default" });
        else if (what === "compaction") {
          const [boundary, summary] = [`b${at}`, `s${at}`];
          rows.push({ type: "system", subtype: "compact_boundary", uuid: boundary, parentUuid: null });
          rows.push({ ...prompt(summary, boundary), isCompactSummary: true });
          sinceCompaction = new Set();
          contexts.set(summary, []);
          uuids.push(summary);
        } else if (what === "prompt") {
          rows.push(prompt(`p${at}`, parent));
          contexts.set(`p${at}`, before);
          uuids.push(`p${at}`);
        } else {
          rows.push(call(id, parent), output(id));
          contexts.set(`out-${id}`, [...before, id]);
          sinceCompaction.add(id);
          uuids.push(`out-${id}`);
        }
      }
      const earlier = all.map((_, at) => `c${at}`);
      const context = contexts.get("out-new") ?? [];
      const expected = context.filter((each) => each !== "new" && sinceCompaction.has(each));
      found += expected.length;
      assert.deepEqual((await asked(rows, earlier)).sort(), expected.sort());
    }),
  );
  assert.ok(found > 50, `${found}`);
});
