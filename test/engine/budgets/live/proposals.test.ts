import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import {
  levelNames,
  periodNames,
  type LevelName,
  type PeriodName,
} from "../../../../src/engine/budgets/budget.ts";
import type { LedgerApi } from "../../../../src/engine/ledger/ledger-thread.ts";
import { proposalMaker } from "../../../../src/engine/budgets/live/proposals.ts";
import { open, response, appendEntries } from "../../ledger/support/support.ts";
import { scratchFolder } from "../../support/scratch.ts";

const noon = new Date(2026, 10, 18, 12).getTime();
const day = 24 * 3_600_000;

/** A project containing a package, next to another project, all with sessions in a ledger. */
async function scene(t: TestContext) {
  const folder = scratchFolder(t);
  const [argo, keel, other] = ["argo", "argo/packages/keel", "other"].map((each) => path.join(folder, each));
  assert.ok(argo !== undefined && keel !== undefined && other !== undefined);
  mkdirSync(keel, { recursive: true });
  for (const project of [argo, other]) {
    mkdirSync(path.join(project, ".git"), { recursive: true });
    writeFileSync(path.join(project, ".git", "HEAD"), "ref: refs/heads/fleet\n");
  }
  const ledger = await open(t, scratchFolder(t));
  let count = 0;
  const use = async (cwd: string, over: { at: number; tokens: number; branch?: string; model?: string }) => {
    const { at, tokens, branch = "fleet", model = "claude-sonnet-5" } = over;
    const sessionId = `s-${(count += 1)}`;
    const usage = { input: tokens, output: 0, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 };
    await appendEntries(
      ledger,
      { kind: "session", id: sessionId, program: "claude-code", cwd, branch, lastAt: at },
      response(count, { at, sessionId, usage, branch, model }),
    );
  };
  const sums: Pick<LedgerApi, "ask"> = {
    ask: (name, asked) => Promise.resolve(ledger.ask(name, asked)),
  };
  const runs: number[] = [];
  const propose = proposalMaker({
    ask: (question) => question(sums),
    history: { recentTokens: () => Promise.resolve(runs) },
    clock: { now: () => noon },
  });
  const everything = { folder: argo, convoyId: "everything", branches: ["*"], lines: null };
  const proposed = async (level: LevelName, period: PeriodName, over: Partial<typeof everything> = {}) => {
    const all = await propose({ ...everything, ...over });
    const found = all.find((each) => each.level === level && each.period === period);
    assert.ok(found !== undefined);
    return found;
  };
  return { argo, keel, other, use, runs, propose, proposed, everything };
}

describe("limits that are proposed for a project", () => {
  it("come with the usage of everything in it, but nothing next to it", async (t) => {
    const { argo, keel, other, use, proposed } = await scene(t);
    await use(argo, { at: noon, tokens: 300 });
    await use(keel, { at: noon, tokens: 20, branch: "oars" });
    await use(argo, { at: noon - day, tokens: 4000 });
    await use(argo, { at: noon - 300 * day, tokens: 50_000 });
    await use(other, { at: noon, tokens: 7 });
    assert.equal((await proposed("project", "day")).used, 320);
    assert.equal((await proposed("convoy", "day")).used, 320);
    assert.equal((await proposed("project", "total")).used, 54_320);
    const fleet = { convoyId: "fleet", branches: [] };
    assert.equal((await proposed("convoy", "day", fleet)).used, 300);
    assert.equal((await proposed("convoy", "total", fleet)).used, 54_300);
    assert.equal((await proposed("convoy", "day", { convoyId: "new", branches: [] })).used, 0);
  });

  it("omit usage if a limit applies to each of several subjects", async (t) => {
    const { argo, use, propose, everything } = await scene(t);
    await use(argo, { at: noon, tokens: 300 });
    const all = await propose(everything);
    assert.equal(all.length, levelNames.length * periodNames.length);
    for (const { level, period, used, limit, source } of all) {
      const isEach = level === "agent" || level === "session" || period === "run";
      assert.equal(used === null, isEach, `${level} ${period}`);
      assert.ok(limit > 0 && source.text !== "");
    }
  });

  it("come from the project's own days, once there are enough", async (t) => {
    const { argo, keel, use, proposed } = await scene(t);
    for (const back of [1, 2, 3, 4]) await use(argo, { at: noon - back * day, tokens: 1000 });
    assert.deepEqual((await proposed("project", "day")).basis, "default");
    await use(keel, { at: noon - 5 * day, tokens: 3000 });
    const { limit, basis, source } = await proposed("project", "day");
    assert.deepEqual([limit, basis], [4500, "history"]);
    assert.match(source.text, /5 days took 3,000 or less/u);
  });

  it("are the documented ones of the model that worked there last, and for the last runs what they took", async (t) => {
    const { argo, other, use, runs, proposed } = await scene(t);
    assert.match((await proposed("convoy", "total")).source.text, /as no model is known yet/u);
    await use(argo, { at: noon - day, tokens: 1, model: "claude-opus-4-8" });
    await use(argo, { at: noon - 1000, tokens: 1, model: "claude-sonnet-5" });
    await use(other, { at: noon, tokens: 1, model: "claude-opus-4-8" });
    const { limit, source } = await proposed("convoy", "total");
    assert.equal(limit, 150_000);
    assert.match(source.text, /typical for Sonnet/u);
    runs.push(100, 100, 100, 100, 100);
    const { limit: ofRun, basis } = await proposed("agent", "run");
    assert.deepEqual([ofRun, basis], [150, "history"]);
  });

  it("are the documented ones if the ledger is unavailable", async () => {
    const propose = proposalMaker({
      ask: () => Promise.resolve(undefined),
      history: { recentTokens: () => Promise.resolve([]) },
      clock: { now: () => noon },
    });
    const all = await propose({ folder: "/argo", convoyId: "fleet", branches: [], lines: 2000 });
    assert.deepEqual(new Set(all.map(({ basis }) => basis)), new Set(["default"]));
    assert.equal(all.find(({ level, period }) => level === "convoy" && period === "total")?.limit, 120_000);
  });
});
