import assert from "node:assert/strict";
import path from "node:path";
import test, { type TestContext } from "node:test";
import { learnJson } from "../../../../src/engine/cli/learn/print-learn.ts";
import { fileOf, learnFrom, storeOf } from "../../continuity/learn/world.ts";
import { PastSession } from "../../continuity/past-session.ts";
import { appendEntries, open } from "../../ledger/support/support.ts";
import { Scratch } from "../support/support.ts";

function failing(number: number): PastSession {
  return new PastSession(`session-${number}`, 1_790_000_000_000 + number * 3_600_000)
    .prompt("make it work")
    .run("npx tsc --noEmit", "error TS2307: Cannot find module 'zod'.", true)
    .edit("src/page-list.ts")
    .run("npx tsc --noEmit", "");
}

async function place(t: TestContext) {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const folder = path.join(scratch.root, ".purser");
  const ledger = await open(t, folder);
  const files = [1, 2].map((n) => fileOf(scratch.root, failing(n), { name: `f${n}`, mtimeMs: n }));
  await learnFrom({ files, store: storeOf(ledger) });
  const purser = (...argv: string[]) => scratch.purser(["learn", ...argv]);
  return { scratch, ledger, purser };
}

test("shows what was learned with its sessions and prompts, but nothing forgotten", async (t) => {
  const { ledger, purser } = await place(t);
  await ledger.snapshot();
  const text = (await purser("show")).stdout;
  assert.match(
    text,
    /^\/home\/ann\/shop\n {2}How things are done\n[^]*\n {2}What fixed errors\n {4}“error TS2307/u,
  );
  assert.match(text, /2 times in 2 sessions: session-2 \[1\], session-1 \[1\]; score 50/u);
  assert.match(text, /src\/page-list\.ts {2}read 0, edited 2 times in 2 sessions/u);
  const shown = learnJson.parse(JSON.parse((await purser("show", "--json")).stdout));
  const [item] = shown.learned ?? [];
  assert.ok(item !== undefined);
  const one = learnJson.parse(JSON.parse((await purser("show", item.id.slice(0, 8), "--json")).stdout));
  assert.deepEqual(one.learned, [item]);
  assert.deepEqual(
    (await purser("show", "--project", "/elsewhere")).stdout,
    "Nothing has been learned yet. Start with purser learn run.\n",
  );
  await appendEntries(ledger, { kind: "learned-mark", id: item.id, state: "forgotten", at: 5 });
  await ledger.snapshot();
  const left = learnJson.parse(JSON.parse((await purser("show", "--json")).stdout));
  assert.equal(left.learned?.length, (shown.learned?.length ?? 0) - 1);
});

test("status shows the progress of each task, and that no service runs", async (t) => {
  const { ledger, purser } = await place(t);
  await ledger.snapshot();
  const { tasks = [], service } = learnJson.parse(JSON.parse((await purser("status", "--json")).stdout));
  assert.equal(service, null);
  assert.deepEqual(
    tasks.map(({ task, files, projects }) => [task, files, projects]),
    [
      ["LearnEffectiveness", null, null],
      ["BuildResumePacket", 2, null],
      ["LearnSequences", 2, 1],
      ["ClusterErrors", 2, 1],
      ["LearnRepairPatterns", 2, 1],
      ["LearnConventions", 2, 1],
      ["UpdateWorkingSetRanking", 2, 1],
      ["BuildDeadEndMemory", 2, 1],
      ["ScoreArtifacts", null, null],
      ["ConsolidateEvents", null, null],
    ],
  );
  assert.match(
    (await purser("status")).stdout,
    /^Read 2 sessions of 1 project; learned (?:\d+ \w[^,.]*, )*1 fix\b[^.]*\. purser learn show lists it\.\nThe service is not running\.\n$/u,
  );
});

test("continuity's messages fall silent by the guards' bound; status names the way to wake them", async (t) => {
  const { ledger, purser } = await place(t);
  await appendEntries(
    ledger,
    { kind: "effectiveness", id: "resume-offer@", subject: "resume-offer", phase: "", helped: 0, failed: 40 },
    {
      kind: "effectiveness",
      id: "lost-facts@Late",
      subject: "lost-facts",
      phase: "Late",
      helped: 2,
      failed: 1,
    },
  );
  await ledger.snapshot();
  const { told = [] } = learnJson.parse(JSON.parse((await purser("status", "--json")).stdout));
  assert.deepEqual(
    told.map(({ kind, helped, ignored, isSilent }) => [kind, helped, ignored, isSilent]),
    [
      ["lost-facts", 2, 1, false],
      ["resume-offer", 0, 40, true],
    ],
  );
  assert.match(
    (await purser("status")).stdout,
    /Offer of a resume packet +0 +40 +at most \d+% of the time: agents no longer get it; purser learn wake resume-offer turns it on again/u,
  );
  const unknown = await purser("wake", "everything");
  assert.deepEqual(
    [unknown.code, unknown.stderr],
    [
      2,
      'purser learn wake: there is no kind "everything"; one of resume-packet, resume-offer, lost-facts. See purser learn wake --help.\n',
    ],
  );
});

test("reports that nothing was learned without a ledger, and names an unknown task, ID or word", async (t) => {
  const scratch = new Scratch();
  t.after(() => scratch.dispose());
  const purser = (...argv: string[]) => scratch.purser(["learn", ...argv]);
  assert.equal((await purser("show")).stdout, "Nothing has been learned yet. Start with purser learn run.\n");
  const task = await purser("run", "Everything");
  assert.deepEqual(
    [task.code, task.stderr.slice(0, 48)],
    [2, 'purser learn run: there is no task "Everything";'],
  );
  const id = await purser("forget", "x");
  assert.deepEqual(
    [id.code, id.stderr],
    [1, 'purser learn: nothing with the ID "x" was learned; purser learn show lists all\n'],
  );
  assert.equal((await purser("forget")).code, 2);
  assert.equal((await purser("run")).code, 1, "no service can be started here");
});
