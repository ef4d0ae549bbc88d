import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import type { JobView } from "../../../src/engine/jobs/bench-answers.ts";
import { storedGroup } from "../../../src/engine/rules/together/group.ts";
import { readReceipt } from "../../../src/engine/verdict/receipt/receipt.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { agentsCache, installClaude, newestClaude } from "../install.ts";
import { startStandIn, type StandIn } from "../stand-in/stand-in.ts";
import { knownModel, knownRules, knownTasks, rulesIn, type KnownModel } from "./known-effects.ts";
import { Window, type Client } from "./window.ts";
import { makeBenchWorkspace, type BenchWorkspace } from "./workspace.ts";

/**
 * A window's selection of eight rules with the real Claude Code, against a stand-in of its API that plays a model on which
 * the effect of each rule is known: from the proposal to the agent's memory.
 */

const installed = await installClaude(newestClaude, agentsCache(process.env, homedir()));
const program = installed.ok ? installed.value : "";
const options = { skip: installed.ok ? false : installed.detail.text, timeout: 240_000 };
const patience = 120_000; // ms for what is left of a selection, on a loaded machine
/** Nobody chose it for what it gives: it is the first. */
const seed = 1;
/** Each task with one pair of rules' halves. */
const runsOfRound = 2 * Object.keys(knownTasks).length;
/** As few as can show a saving: passes are not compared earlier. */
const rounds = 8;
const ask = {
  kind: "select",
  agent: "backend",
  ruleIds: null,
  audits: 1,
  model: null,
  effort: null,
  driver: "claude",
  parallel: 2,
  tokenCap: rounds * Object.values(knownTasks).reduce((sum, tokens) => sum + 2 * tokens, 0),
} as const;

let standIn: StandIn;
let workspace: BenchWorkspace;
let model: KnownModel;
let window: Window;
/** Once the model has made so many runs to their end, it answers no request any more: who sends one is to be ended. */
let hold: { readonly after: number; held: number } | null = null;

before(async () => {
  standIn = await startStandIn({
    tag: "rules",
    lifeMs: 300_000,
    beforeReply: async () => {
      if (hold === null || model.finished.size < hold.after) return;
      hold.held += 1;
      await new Promise(() => undefined);
    },
  });
  workspace = await makeBenchWorkspace(Object.keys(knownTasks), {});
  window = new Window({ workspace, program, url: standIn.url, patience });
  await window.installAgent();
  model = knownModel({ seed, round: () => Math.floor(window.passedRuns() / runsOfRound) + 1 });
  standIn.setScript(model.script);
});
after(async () => {
  await workspace.remove();
  await standIn.close();
});

test(
  "eight rules share their runs, cancelled once and killed twice: no run repeats, each rule gets its own effect, and only admitted rules reach the agent",
  options,
  async (t) => {
    const first = await window.connect();
    const definition = path.join(workspace.folder, ".purser", "golden", "agents", "backend.md");
    await mkdir(path.join(window.root, "agents"), { recursive: true });
    await copyFile(definition, path.join(window.root, "agents", "backend.md"));
    const ids = await approveAll(first);
    assert.deepEqual(await seenAtWork(), [], "approved, and candidates");

    const suite = { origin: "workspace", folder: workspace.folder } as const;
    const order = { ask: { ...ask, suite }, env: window.env };
    const planned = await first.ask("benchPlan", order);
    assert.ok(planned.ok, planned.ok ? "" : planned.detail.text);
    assert.equal(planned.value.plan.power?.together, knownRules.length);
    holdAfter(0);
    const started = await first.ask("benchStart", { ...order, project: workspace.folder });
    assert.ok(started.ok, started.ok ? "" : started.detail.text);
    const { id } = started.value;
    await whenHeld();
    const cancelled = await first.ask("benchCancel", { id });
    assert.ok(cancelled.ok, cancelled.ok ? "" : cancelled.detail.text);
    await fixDraws();

    holdAfter(runsOfRound + 2);
    await resume(first, id);
    await whenHeld();
    window.killWorker();
    const half = await window.until(first, id, isInterrupted);

    holdAfter(4 * runsOfRound + 1);
    await resume(first, id);
    await whenHeld();
    first.dispose();
    await window.killService();
    const second = await window.connect();
    t.after(() => second.dispose());
    await window.until(second, id, isInterrupted);
    hold = null;
    await resume(second, id);
    const done = await window.until(second, id, ({ state }) => state.kind === "done");
    assertOnce(done, half);
    assert.deepEqual(await window.leftovers(), []);

    const receipts = await receiptsOf(second, ids);
    const lines = receipts.map(({ saves, low, high, kind, status }) => {
      const [truly, from, to] = [saves, low, high].map((share) => (100 * share).toFixed(1));
      return `saves ${truly} %: ${from} to ${to} %, ${kind}, ${status}`;
    });
    t.diagnostic([`${done.runs.length} runs`, ...lines].join("\n"));
    // Intervals of level 90 %, however often they were looked at: of eight, fewer than five hold in 2 % of
    // seeds (`npm run bench -- rules`). Seed and draws are fixed, so that luck decides nothing here.
    const holding = receipts.filter(({ saves, low, high }) => low <= saves && saves <= high);
    assert.ok(holding.length >= 5, lines.join("\n"));
    const statusOf = (share: number) => receipts.find(({ saves }) => saves === share)?.status;
    assert.deepEqual([statusOf(0.2), statusOf(-0.1)], ["measured", "evicted"], lines.join("\n"));
    assert.deepEqual(await seenAtWork(), [], "it waits for the user");

    const saver = ids[knownRules.findIndex(({ saves }) => saves === 0.2)] ?? "";
    const act = { id: saver, root: window.root };
    await second.ask("rulesAct", { ...act, act: { kind: "approve" } });
    assert.deepEqual(await seenAtWork(), [0.2], "let in");
    await second.ask("rulesAct", { ...act, act: { kind: "reject", why: "not any more" } });
    assert.deepEqual(await seenAtWork(), [], "taken out");
    assert.deepEqual(standIn.failures, []);
  },
);

/** Proposes the known rules and approves each; returns their ids, in their order. */
async function approveAll(client: Client): Promise<string[]> {
  const rules = knownRules.map(({ text }) => ({ text, source: null }));
  const proposed = await client.ask("rulesPropose", { agent: "backend", origin: "hand", rules });
  assert.ok(proposed.ok, proposed.ok ? "" : proposed.detail.text);
  const ids = proposed.value.proposed.map(({ id, refused }) => id ?? assert.fail(refused?.text ?? ""));
  for (const id of ids) {
    const approved = await client.ask("rulesAct", { id, act: { kind: "approve" }, root: window.root });
    assert.ok(approved.ok, approved.ok ? "" : approved.detail.text);
  }
  return ids;
}

function isInterrupted({ state }: JobView): boolean {
  return state.kind === "interrupted";
}

function holdAfter(count: number): void {
  hold = { after: count, held: 0 };
}

/** Waits until all runs that were made are stored, and each that is under way waits for the model. */
async function whenHeld(): Promise<void> {
  await waitUntil(
    () => hold !== null && hold.held >= ask.parallel && window.passedRuns() === hold.after,
    patience,
  );
}

async function resume(client: Client, id: string): Promise<void> {
  const resumed = await client.ask("benchResume", { id, env: window.env });
  assert.ok(resumed.ok, resumed.ok ? "" : resumed.detail.text);
}

/** Which rule stands on which side in which round is drawn by the group's id, which is made of the time. Another one is as good. */
async function fixDraws(): Promise<void> {
  const file = path.join(window.benches, "select-backend-claude.group.json");
  const group = storedGroup.parse(JSON.parse(await readFile(file, "utf8")));
  await writeFile(file, JSON.stringify({ ...group, id: "select-backend-claude.first" }));
}

/** @param half the job when its worker was killed */
function assertOnce(done: JobView, half: JobView): void {
  const placeOf = ({ benchId, round, taskId, side }: JobView["runs"][number]) =>
    `${benchId} ${round} ${taskId} ${side}`;
  const passed = done.runs.filter(({ outcome }) => outcome === "passed");
  const places = new Set(passed.map(placeOf));
  assert.equal(places.size, passed.length, "a run was made twice");
  assert.ok(half.runs.every((run) => run.outcome !== "passed" || places.has(placeOf(run))));
  // The model itself was asked for each to its end once.
  assert.deepEqual(
    [...model.finished.values()],
    passed.map(() => 1),
  );
}

/** The contents of each rule's only receipt. */
async function receiptsOf(client: Client, ids: readonly string[]) {
  const read = await client.ask("rulesRead", { root: window.root });
  assert.ok(read.ok);
  return await Promise.all(
    knownRules.map(async ({ saves }, index) => {
      const rule = read.value.view.rules.find(({ id }) => id === ids[index]);
      assert.equal(rule?.receipts.length, 1);
      const asked = await client.ask("rulesReceipt", { id: rule.receipts[0]?.id ?? "" });
      assert.ok(asked.ok);
      const receipt = readReceipt(asked.value.json ?? "");
      assert.ok(receipt.ok, receipt.ok ? "" : receipt.detail.text);
      const { savingShare, kind } = receipt.value.verdict;
      assert.ok(savingShare !== null);
      return { saves, low: savingShare.low, high: savingShare.high, kind, status: rule.status };
    }),
  );
}

/** Savings of the known rules that reach a session of the user's own, with the user's own configuration. */
async function seenAtWork(): Promise<readonly number[]> {
  const from = standIn.exchanges.length;
  standIn.setScript(knownModel({ seed, round: () => 0 }).script);
  const cwd = path.join(workspace.root, "purser-bench-none", "project");
  await mkdir(path.join(cwd, "src"), { recursive: true });
  await promisify(execFile)(
    program,
    ["-p", `Write done into src/one.txt of ${cwd}`, "--agent", "backend", "--model", "claude-sonnet-4-6"],
    { cwd, env: { ...window.env, HOME: workspace.root }, timeout: 60_000 },
  );
  const seen = standIn.exchanges.slice(from).map(({ request }) => JSON.stringify(request));
  assert.ok(seen.join("").includes("You write words."), "the agent is the installed one");
  standIn.setScript(model.script);
  return rulesIn(seen.join("\n")).map(({ saves }) => saves);
}
