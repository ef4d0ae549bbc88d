import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { Emitter } from "../../src/engine/base/emitter.ts";
import { fail, succeed } from "../../src/engine/base/result.ts";
import type { JobSummary } from "../../src/engine/service/bench-view.ts";
import { BenchConversation, type FileDiff } from "../../src/extension/bench-conversation.ts";
import type { BenchSource } from "../../src/extension/bench-source.ts";
import { hostMessage, type HostMessage } from "../../src/webview/bench/protocol.ts";
import { ask, choices, makePage, makeSummary, makeView, plan } from "../webview/bench/fixtures.ts";

const home = { kind: "home" } as const;
const bench = { kind: "bench", id: "b3" } as const;

/** A panel's host with everything around it made up. */
function begin(source: Partial<BenchSource> = {}) {
  const changes = new Emitter<readonly JobSummary[] | undefined>();
  const asked: string[] = [];
  const posted: HostMessage[] = [];
  const done: string[] = [];
  const problems: string[] = [];
  const noted = <Answer>(name: string, answer: Answer) => {
    asked.push(name);
    return Promise.resolve(succeed(answer));
  };
  const trust = new Emitter<void>();
  const diffs: FileDiff[] = [];
  const talk = new BenchConversation({
    source: {
      isTrusted: true,
      ready: () => Promise.resolve(),
      choices: () => noted("choices", choices),
      plan: () => noted("plan", plan),
      start: () => noted("start", { id: "b9" }),
      cancel: (id) => noted(`cancel ${id}`, {}),
      resume: (id) => noted(`resume ${id}`, {}),
      list: () => noted("list", [makeSummary()]),
      read: (id) => noted(`read ${id}`, makeView()),
      runPage: (_, runId) => noted(`run ${runId}`, makePage()),
      change: (id, runId, file) =>
        noted(`change ${id} ${runId} ${file}`, { before: "old\n", after: `${runId}\n` }),
      retry: () => {
        done.push("retry");
        return Promise.resolve();
      },
      onChange: (listener) => changes.on(listener),
      ...source,
    },
    t: (message, ...values) => message.replace(/\{(\d)\}/gu, (_, index) => String(values[Number(index)])),
    post: (message) => posted.push(hostMessage.parse(message)),
    showLog: () => done.push("log"),
    manageTrust: () => done.push("trust"),
    openDiff: (diff) => diffs.push(diff),
    onTrust: (listener) => trust.on(listener),
    onProblem: (message) => problems.push(message),
  });
  const types = () => posted.map(({ type }) => type).sort();
  return { talk, changes, trust, diffs, asked, posted, types, done, problems };
}

/** Until what was promised is done. */
const settle = () => wait(5);

test("a panel that begins at home is told what there is to measure, and what was", async () => {
  const { talk, types } = begin();
  talk.hear({ type: "ready", place: home, ask: null });
  await settle();
  assert.deepEqual(types(), ["choices", "jobs"]);
  talk.dispose();
});

test("a workspace that is trusted may have a suite more, which a panel at home is told of", async () => {
  const { talk, trust, types } = begin();
  talk.hear({ type: "ready", place: home, ask: null });
  await settle();
  trust.fire();
  await settle();
  assert.deepEqual(types(), ["choices", "choices", "jobs"]);
  talk.dispose();
  trust.fire();
  await settle();
  assert.equal(types().length, 3);
});

test("what a run did to a file is shown beside what it was, or beside what another run left", async () => {
  const { talk, diffs, posted } = begin();
  const asked = { type: "openChange", id: "b1", runId: "r1", path: "src/tide.ts", name: "Run 1" };
  talk.hear({ ...asked, other: null });
  talk.hear({ ...asked, other: { id: "b1", runId: "r2", name: "Run 2, shorter" } });
  await settle();
  const right = { name: "Run 1", text: "r1\n" };
  assert.deepEqual(diffs, [
    { path: "src/tide.ts", left: { name: "Before", text: "old\n" }, right },
    { path: "src/tide.ts", left: { name: "Run 2, shorter", text: "r2\n" }, right },
  ]);
  assert.deepEqual(posted, []);
  talk.dispose();
});

test("a change that was not kept is said, and nothing is opened", async () => {
  const { talk, diffs, posted } = begin({ change: () => Promise.resolve(succeed(null)) });
  talk.hear({ type: "openChange", id: "b1", runId: "r1", path: "a.ts", name: "Run 1", other: null });
  await settle();
  assert.deepEqual(diffs, []);
  assert.deepEqual(posted, [
    { type: "error", about: "run", message: "What this run did to a.ts was not kept." },
  ]);
  talk.dispose();
});

test("one that showed a run is told of its bench, the run, and the one beside it", async () => {
  const { talk, asked, types } = begin();
  talk.hear({
    type: "ready",
    place: { kind: "run", id: "b3", runId: "one", beside: { id: "b3", runId: "two" } },
    ask,
  });
  await settle();
  assert.deepEqual(types(), ["bench", "run", "run"]);
  assert.deepEqual(asked, ["read b3", "run one", "run two"]);
  talk.dispose();
});

test("a plan is of the latest question, and says why there is none", async () => {
  let finish: (() => void) | undefined;
  const first = new Promise<void>((resolve) => (finish = resolve));
  const { talk, posted } = begin({
    plan: async (asked) => {
      const runs = asked.kind === "bench" ? asked.runs : 0;
      if (runs === 3) await first;
      return runs === 3 ? succeed(plan) : fail("failed", "the fixture was changed");
    },
  });
  talk.hear({ type: "plan", ask });
  talk.hear({ type: "plan", ask: { ...ask, runs: 7 } });
  finish?.();
  await settle();
  assert.deepEqual(
    posted.map((message) => (message.type === "plan" ? [message.ask.runs, message.problem] : [])),
    [[7, "the fixture was changed"]],
  );
  talk.dispose();
});

test("what is begun is shown; what is cancelled or resumed is looked at again", async () => {
  const { talk, asked, posted } = begin();
  talk.hear({ type: "ready", place: home, ask });
  await settle();
  talk.hear({ type: "start", ask });
  await settle();
  assert.deepEqual(posted.at(-1), { type: "show", place: { kind: "bench", id: "b9" } });
  talk.hear({ type: "look", place: bench });
  await settle();
  talk.hear({ type: "cancel", id: "b3" });
  await settle();
  talk.hear({ type: "resume", id: "b3" });
  await settle();
  assert.deepEqual(asked.slice(-5), ["read b3", "cancel b3", "read b3", "resume b3", "read b3"]);
  talk.dispose();
});

test("changes are followed: what is looked at, at most twice a second, and nothing for a hidden panel", async () => {
  const { talk, changes, types } = begin();
  talk.hear({ type: "ready", place: bench, ask: null });
  await settle();
  for (let times = 0; times < 5; times += 1) changes.fire([makeSummary()]);
  await wait(550);
  assert.deepEqual(types(), ["bench", "bench"]);
  talk.setVisible(false);
  changes.fire([makeSummary()]);
  await wait(550);
  assert.deepEqual(types(), ["bench", "bench"]);
  talk.setVisible(true);
  await wait(550);
  assert.deepEqual(types(), ["bench", "bench", "bench"]);
  talk.dispose();
});

test("offline and failures are told; a service that is about to be there is waited for", async () => {
  const offline = begin({ list: () => Promise.resolve(fail("offline", "Reload the window.")) });
  offline.talk.hear({ type: "ready", place: home, ask: null });
  await settle();
  assert.ok(offline.types().includes("offline"));
  const failing = begin({ read: () => Promise.reject(new Error("EIO")) });
  failing.talk.hear({ type: "ready", place: bench, ask: null });
  await settle();
  const [error] = failing.posted;
  assert.ok(error?.type === "error" && error.message.includes("EIO"));
  const starting = begin({
    read: () => Promise.resolve(fail("starting", "not yet")),
    start: () => Promise.resolve(fail("starting", "not yet")),
  });
  starting.talk.hear({ type: "ready", place: bench, ask: null });
  await settle();
  assert.deepEqual(starting.types(), []);
  starting.talk.hear({ type: "start", ask });
  await settle();
  assert.deepEqual(starting.types(), ["error"], "who pressed a button is not left waiting");
  for (const { talk } of [offline, failing, starting]) talk.dispose();
});

test("a place named before the panel's script runs is shown as soon as it does", async () => {
  const { talk, posted, done } = begin();
  talk.show(bench);
  talk.hear({ type: "ready", place: home, ask: null });
  assert.deepEqual(posted[0], { type: "show", place: bench });
  talk.show(home);
  assert.deepEqual(posted.at(-1), { type: "show", place: home });
  for (const type of ["showLog", "manageTrust", "retry"]) talk.hear({ type });
  await settle();
  assert.deepEqual(done, ["log", "trust", "retry"]);
  talk.dispose();
});

test("whatever a panel says, nothing is thrown, and what is not understood is a problem", () => {
  fc.assert(
    fc.property(fc.anything(), (said) => {
      const { talk, problems, posted } = begin();
      talk.hear(said);
      assert.equal(problems.length, 1);
      assert.deepEqual(posted, []);
      talk.dispose();
    }),
  );
});

test("a panel that was ready before the service is told at once when there is one", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let isThere = false;
  const list = () =>
    Promise.resolve(isThere ? succeed([makeSummary()]) : fail("starting" as const, "not connected yet"));
  const { talk, changes, types } = begin({ list });
  t.after(() => talk.dispose());
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  talk.hear({ type: "ready", place: home, ask: null });
  await turns();
  const before = types().filter((type) => type === "jobs").length;
  isThere = true;
  changes.fire(undefined);
  await turns();
  assert.deepEqual([before, types().filter((type) => type === "jobs").length], [0, 1]);
});
