import { assert } from "../../../support/assert-texts.ts";
import { appendFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import {
  freshTokens,
  largestResponse,
  projectedCall,
} from "../../../../../src/engine/budgets/live/spending-now.ts";
import { builtInCatalogue } from "../../../../../src/engine/usage/catalogue.ts";
import { liveAccounts } from "../../../../../src/engine/sessions/live/own-catalogues.ts";
import { SessionSource } from "../../../../../src/engine/sessions/live/sessions-source.ts";
import { SessionView } from "../../../../../src/engine/sessions/live/sessions-view.ts";
import { runtimeSqlite } from "../../../../../src/engine/transcripts/copilot/read-store.ts";
import { viewSettings } from "../../../sessions/support/view-settings.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { writeTree } from "../../../support/write-tree.ts";
import { began, by, compacted, event, said, start, used, vector } from "../event-rows.ts";
import { WrittenStore } from "./store.ts";

function watched(t: TestContext, lines: readonly string[]) {
  const root = path.join(scratchFolder(t), ".copilot");
  const folder = path.join(root, "session-state", "s1");
  writeTree(folder, {
    "events.jsonl": lines.map((line) => `${line}\n`).join(""),
    "workspace.yaml": "cwd: /home/dev/harbor\nbranch: pier\nname: The harbor\n",
    "inuse.42.lock": "42",
  });
  const clock = { now: () => start + 60_000 };
  const source = new SessionSource({
    roots: [{ agent: "copilot", path: root }],
    clock,
    isAlive: (pid) => pid === 42,
    learn: () => Promise.resolve([]),
    onProblem: (message) => assert.fail(message),
  });
  t.after(() => source.dispose());
  const { settings } = viewSettings();
  const view = new SessionView(
    source,
    { env: {}, folders: [] },
    { clock, settings, platform: process.platform },
  );
  const session = async () => {
    const { sessions, problems } = await view.readNow();
    assert.deepEqual(problems, []);
    assert.equal(sessions.length, 1);
    return sessions[0] ?? assert.fail();
  };
  const append = (...more: readonly string[]) =>
    appendFileSync(path.join(folder, "events.jsonl"), more.map((line) => `${line}\n`).join(""));
  const rewrite = (...all: readonly string[]) =>
    writeTree(folder, { "events.jsonl": all.map((line) => `${line}\n`).join("") });
  return { root, source, session, append, rewrite };
}

const record = (second: number, sequence: number, input: number, output: number, more: object = {}) =>
  event(second, "session.usage_record", {
    usage: {
      ...more,
      model: "claude-sonnet-4-5",
      ...vector(input, input - 10, output, 10),
      maxPromptTokens: 20_000,
      accounting: { sourceSessionId: "s1", sequence },
      finishReason: "stop",
    },
  });

const compacting = (second: number, currentTokens: number) =>
  event(second, "session.compaction_start", {
    currentTokens,
    trigger: "threshold",
    compactionAttemptId: `attempt-${second + 1}`,
  });

describe("a live Copilot session", () => {
  it("has the agent's own window, the tokens of the last request, and a threshold at 80 % of the window", async (t) => {
    const { session, append } = watched(t, [began, record(1, 1, 10_000, 100)]);
    const { agent, title, branch, cwd, live, window, occupancy, threshold, headroom, cost } = await session();
    assert.deepEqual(
      [agent, title, branch, cwd, live],
      ["copilot", "The harbor", "pier", "/home/dev/harbor", true],
    );
    assert.deepEqual([window.value, window.provenance], [20_000, "official"]);
    assert.deepEqual([occupancy.value, occupancy.provenance], [10_000, "measured"]);
    assert.deepEqual([threshold.value, headroom.value], [16_000, 5900]);
    assert.equal(cost.provenance, "estimated");
    append(record(2, 2, 12_000, 50));
    assert.equal((await session()).headroom.value, 3950);
  });

  it("is read again after its file was truncated or replaced, and keeps its usage", async (t) => {
    const { session, rewrite } = watched(t, [began, record(1, 1, 10_000, 100), record(2, 2, 12_000, 50)]);
    assert.equal((await session()).turns, 2);
    rewrite(began, record(3, 1, 7000, 9));
    const { turns, occupancy, usage } = await session();
    assert.deepEqual([turns, occupancy.value, usage.output], [3, 7000, 159]);
  });

  it("has no window before the agent names one, whatever the catalogue has for the model", async (t) => {
    const usage = { model: "claude-sonnet-4-5", ...vector(5000, 0, 9) };
    const { session } = watched(t, [began, event(1, "session.usage_record", { usage })]);
    const { window, headroom, advice } = await session();
    assert.deepEqual([window.value, headroom.value, advice], [null, null, null]);
  });

  it("learns from its own compactions when the next one begins", async (t) => {
    const lines = [began, record(1, 1, 16_050, 50), compacting(2, 16_128), compacted(3, vector(90, 50, 7))];
    const { session, append } = watched(t, lines);
    const fresh = await session();
    assert.deepEqual([fresh.occupancy.value, fresh.occupancy.provenance], [11_775, "official"]);
    assert.deepEqual([fresh.threshold.value, fresh.samples, fresh.compactions], [16_128, 1, 1]);
    append(record(5, 2, 9000, 28));
    const next = await session();
    assert.deepEqual([next.occupancy.value, next.headroom.value], [9000, 7100]);
    const sum = next.usage.input + next.usage.cacheRead + next.usage.cacheCreation5m;
    assert.equal(sum, 16_050 + 90 + 9000);
  });

  it("reports an unknown lifetime of the cached context", async (t) => {
    const { session } = watched(t, [began, record(1, 1, 10_000, 100)]);
    const { nextCall, cacheExpiresAt } = await session();
    assert.deepEqual([nextCall.value, cacheExpiresAt], [null, null]);
    assert.match(nextCall.source.text, /how long this agent's provider caches/u);
  });

  it("reports when the cached context expires where the agent knows its lifetime", async (t) => {
    const { session } = watched(t, [began, record(1, 1, 10_000, 100, { cacheTtlSeconds: 3600 })]);
    const { nextCall, cacheExpiresAt } = await session();
    assert.equal(cacheExpiresAt, start + 1000 + 3_600_000);
    assert.deepEqual([nextCall.provenance, nextCall.source], ["estimated", "context read from the cache"]);
  });

  it("has subagents with their own contexts", async (t) => {
    const subagent = { toolCallId: "t1", agentName: "explore", agentDescription: "look" };
    const lines = [
      by("a1", event(2, "subagent.started", subagent)),
      by("a1", used(3, 1, vector(402, 300, 7), "s9")),
    ];
    const { session, append } = watched(t, [began, record(1, 1, 10_000, 100), ...lines]);
    const { subagents, occupancy, usage } = await session();
    const [sub] = subagents;
    assert.deepEqual(
      [sub?.id, sub?.type, sub?.description, sub?.occupancy.value, sub?.window.value, sub?.running],
      ["a1", "explore", "look", 402, 922_000, true],
    );
    assert.deepEqual([occupancy.value, usage.output], [10_000, 107]);
    append(by("a1", event(4, "subagent.completed", { toolCallId: "t1" })));
    assert.equal((await session()).subagents[0]?.running, false);
  });

  it("gives budgets its agents' usage, including a compaction's own requests, and the next call's", async (t) => {
    const own = [record(1, 1, 10_000, 100), compacted(2, vector(90, 50, 7), { success: false })];
    const sub = by("a1", used(3, 1, vector(402, 300, 7), "s9"));
    const { source, session, append } = watched(t, [began, ...own]);
    await session();
    append(sub);
    const account = liveAccounts(source).of("s1");
    assert.ok(account !== undefined);
    const fresh = freshTokens(account, undefined, { today: start, run: start + 3000 }, builtInCatalogue);
    const counted = fresh.map(({ agentId, used: all, ofRun }) => [agentId, all.tokens, ofRun.tokens]);
    assert.deepEqual(counted, [
      ["main", 10 + 100 + 47, 0],
      ["a1", 109, 109],
    ]);
    const next = projectedCall(
      { account, agentId: "main", others: () => [] },
      { added: 50, now: start + 4000 },
    );
    assert.equal(next?.tokens, 100 + 50 + 100);
    assert.deepEqual([largestResponse(account, "main"), largestResponse(account, "a1")], [20_000, 922_000]);
  });

  it(
    "of a version without usage records has the store's",
    { skip: runtimeSqlite() === undefined },
    async (t) => {
      const { root, session } = watched(t, [began, said(1, 10)]);
      assert.match((await session()).cost.source.text, /cannot be read here/u);
      const { session: stored, root: other } = watched(t, [began, said(1, 10)]);
      const store = new WrittenStore(path.join(other, "session-store.db"));
      t.after(() => store.close());
      store.add({ second: 1, usage: vector(9000, 40, 10) });
      const { occupancy, cost } = await stored();
      assert.deepEqual([occupancy.value, cost.provenance], [9000, "estimated"]);
      assert.notEqual(root, other);
    },
  );
});
