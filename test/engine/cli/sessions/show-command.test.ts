import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import path from "node:path";
import test, { type TestContext } from "node:test";
import * as z from "zod/mini";
import { sessionShowJson } from "../../../../src/engine/cli/sessions/show-text.ts";
import { diffEntry } from "../../../../src/engine/continuity/compaction/lost.ts";
import type { LostItem } from "../../../../src/engine/ledger/ledger-answers.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { stateEntry } from "../../../../src/engine/guard/work/work-handler.ts";
import { noWork, type WorkState } from "../../../../src/engine/guard/work/work-state.ts";
import { appendEntries, open, response } from "../../ledger/support/support.ts";
import { Scratch } from "../support/support.ts";

const at = new Date(2026, 10, 21, 9, 30).getTime();

/** A ledger with states of sessions, and commands that read it. */
async function place(
  t: TestContext,
  states: Readonly<Record<string, Partial<WorkState>>>,
  entries: readonly LedgerEntry[] = [],
) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  if (Object.keys(states).length > 0) {
    const ledger = await open(t, path.join(scratch.root, ".purser"));
    let time = at;
    for (const [sessionId, state] of Object.entries(states))
      await appendEntries(
        ledger,
        stateEntry(
          { ...noWork, turn: 1, ...state },
          { sessionId, program: "claude-code", root: "/argo", at: time++ },
        ),
      );
    await appendEntries(ledger, ...entries);
    await ledger.close();
  }
  return (argv: string[], env: Readonly<Record<string, string>> = {}) =>
    scratch.purser(["session", ...argv], { env: { CLAUDE_CONFIG_DIR: scratch.root, ...env } });
}

/** Something that a compaction kept or lost. */
function thing(kind: LostItem["kind"], text: string): LostItem {
  const id = createHash("sha256").update(text).digest("hex").slice(0, 12);
  return { id, kind, text, turn: 2 };
}

const worked: Partial<WorkState> = {
  turn: 7,
  calls: 1214,
  errors: 9,
  switches: 1,
  left: 61.4,
  unverified: ["/argo/src/mast.ts", "/argo/src/sail\u202E.ts", "/elsewhere/oar.ts"],
  verified: ["/argo/src/keel.ts"],
  loop: "npm test \u001b[31mfails",
  failures: [{ action: "a", failure: "x", times: 3, turn: 7 }],
};

test("the newest session is shown in one block, or one by the beginning of its id", async (t) => {
  const purser = await place(t, { "abc-1": worked, "abd-2": {} });
  assert.match((await purser(["show"])).stdout, /^abd-2 \(Claude Code\), turn 1, as of 09:30:00\n/u);
  const { stdout, stderr, code } = await purser(["show", "abc"]);
  assert.deepEqual([code, stderr], [0, ""]);
  assert.equal(
    stdout,
    [
      "abc-1 (Claude Code), turn 7, as of 09:30:00",
      "/argo",
      "",
      "Phase           Warmup",
      "Trust           ████████████░░░░░░░░ 60 of 100",
      "Focus           ████████████████████ 100 of 100; 1 change of focus",
      "Files           4 edited, 1 of them verified; not yet: /elsewhere/oar.ts, src/sail.ts, src/mast.ts",
      "Errors          9 of 1,214 calls; 1 dead end",
      "Loop            npm test fails",
      "Context left    61%",
      "Warned after    3 repetitions, 4 unverified edits, 15 reads without an edit",
      "Warned at most  5 pieces of advice and 2,000 characters per turn",
      "",
    ].join("\n"),
  );
});

test("prints one line per item lost in the newest compaction, and all items in JSON", async (t) => {
  const purser = await place(t, { "abc-1": worked }, [
    diffEntry({
      sessionId: "abc-1",
      program: "codex",
      trigger: "auto",
      at,
      kept: [thing("file", "src/keel.ts")],
      lost: [thing("decision", "Never sail at night."), thing("dead_end", "npm run oar\u001b[31m")],
      told: [thing("decision", "Never sail at night.")],
    }),
  ]);
  const { stdout } = await purser(["show"]);
  assert.match(
    stdout,
    /^Compactions {5}1 compared; the newest kept 1 and lost 2 facts$[^]*\n\nLost in the newest compaction\n {2}decision: Never sail at night\. \(sent right after\)\n {2}dead end: npm run oar\n$/mu,
  );
  const json = z
    .strictObject(sessionShowJson.shape)
    .parse(JSON.parse((await purser(["show", "--json"])).stdout));
  assert.deepEqual(json.compactions, [
    {
      id: `abc-1:${at}`,
      at: new Date(at).toISOString(),
      trigger: "auto",
      kept: [{ kind: "file", text: "src/keel.ts", turn: 2 }],
      lost: [
        { kind: "decision", text: "Never sail at night.", turn: 2, back: "told" },
        { kind: "dead_end", text: "npm run oar\u001b[31m", turn: 2, back: null },
      ],
    },
  ]);
});

test("shows compactions of a session without guards, and unknown values for the guards' data", async (t) => {
  const purser = await place(t, { "abc-1": worked }, [
    { kind: "session", id: "unguarded-1", program: "codex", cwd: "/argo" },
    diffEntry({
      sessionId: "unguarded-1",
      program: "codex",
      trigger: "auto",
      at,
      kept: [],
      lost: [thing("decision", "Never sail at night.")],
      told: [],
    }),
  ]);
  const { stdout } = await purser(["show", "ung"]);
  assert.match(
    stdout,
    /^unguarded-1 \(Codex\)\n\/argo\n\nWork {9}unknown: guards were off[^\n]*\nCompactions {2}1 compared[^]*decision: Never sail at night\.\n/u,
  );
  const json = z
    .strictObject(sessionShowJson.shape)
    .parse(JSON.parse((await purser(["show", "ung", "--json"])).stdout));
  assert.deepEqual([json.turn, json.trust, json.compactions.length], [null, null, 1]);
});

test("its JSON has its documented shape", async (t) => {
  const purser = await place(t, { "abc-1": worked });
  const json = z
    .strictObject(sessionShowJson.shape)
    .parse(JSON.parse((await purser(["show", "--json"])).stdout));
  assert.deepEqual(
    [json.session, json.trust, json.deadEnds, json.percentLeft, json.thresholds, json.asOf],
    ["abc-1", 60, 1, 61, { repeats: 3, edits: 4, reads: 15 }, new Date(at).toISOString()],
  );
});

test("the session that it is run in is current", async (t) => {
  const purser = await place(t, { "abc-1": worked, "abd-2": {} });
  assert.match((await purser(["show", "current"], { CLAUDE_CODE_SESSION_ID: "abc-1" })).stdout, /^abc-1 /u);
  const outside = await purser(["show", "current"]);
  assert.deepEqual([outside.code, outside.stdout], [1, ""]);
  assert.match(outside.stderr, /no agent says which session runs this command/u);
});

test("reports an unknown id, an ambiguous one, and a missing session, with the remedy", async (t) => {
  const purser = await place(t, { "abc-1": {}, "abd-2": {} });
  assert.match((await purser(["show", "ab"])).stderr, /several sessions begin with "ab": give more of it/u);
  const unknown = await purser(["show", "nobody\u001b"]);
  assert.equal(unknown.code, 1);
  assert.match(unknown.stderr, /^purser session: there is no session with the ID "nobody[^\u001b]*/u);
  const empty = await place(t, {});
  assert.match((await empty(["show"])).stderr, /no session is known; check with purser hooks status/u);
});

test("marks a session counted by an earlier version until it is read again", async (t) => {
  const used = (id: string): LedgerEntry =>
    response(1, { messageId: id, sessionId: "abc-1", isSidechain: false });
  const shown = async (...entries: LedgerEntry[]) => {
    const purser = await place(t, { "abc-1": worked }, [used("msg_1"), ...entries]);
    const { countedBefore } = sessionShowJson.parse(JSON.parse((await purser(["show", "--json"])).stdout));
    return { countedBefore, text: (await purser(["show"])).stdout };
  };
  const words = /^Counted by an earlier version; its transcript is not read again\.$/mu;
  const marked = await shown({ kind: "count-anew" });
  assert.equal(marked.countedBefore, true);
  assert.match(marked.text, words);
  const again = await shown({ kind: "count-anew" }, used("msg_2"));
  assert.equal(again.countedBefore, false);
  assert.doesNotMatch(again.text, words);
});
