import { compose, plainSentence } from "../../../src/engine/base/language.ts";
import { assert } from "../../engine/support/assert-texts.ts";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { z } from "zod";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import { CompareController, type ComparisonFile } from "../../../src/extension/compare/compare-controller.ts";
import { hostMessage, type HostMessage } from "../../../src/webview/compare/compare-protocol.ts";
import { makeSummary } from "../../webview/bench/fixtures.ts";
import {
  ask,
  makeComparison,
  makeListed,
  makeResult,
  makeRunning,
  plan,
} from "../../webview/compare/fixtures.ts";
import { FakeConnection, type Answers } from "../support/fake-connection.ts";

const home = { kind: "home" } as const;
const planned = { kind: "plan" } as const;
const comparison = { kind: "comparison", id: "c1" } as const;

/** A panel's host with fake surroundings. */
function begin(answers: Answers = {}) {
  const asked: string[] = [];
  const posted: HostMessage[] = [];
  const files: ComparisonFile[] = [];
  const done: unknown[] = [];
  const noted = <Answer>(name: string, answer: Answer) => {
    asked.push(name);
    return Promise.resolve(succeed(answer));
  };
  const service = new FakeConnection({
    benchPlan: () => noted("plan", { plan }),
    benchStart: ({ env, project }) =>
      noted(`start in ${String(project)} with ${env["KEY"] ?? ""}`, { id: "c9" }),
    benchCancel: ({ id }) => noted(`cancel ${id}`, {}),
    benchResume: ({ id }) => noted(`resume ${id}`, {}),
    benchList: () => noted("list", { jobs: [makeListed(), makeSummary()] }),
    benchRead: ({ id }) => noted(`read ${id}`, { view: makeComparison() }),
    ...answers,
  });
  const talk = new CompareController({
    service,
    window: {
      workspace: () => "/w",
      isTrusted: () => true,
      env: () => ({ KEY: "k" }),
      began: () => undefined,
    },
    t: (message, ...values) => message.replace(/\{(\d)\}/gu, (_, index) => String(values[Number(index)])),
    post: (message) => posted.push(hostMessage.parse(message)),
    pick: () => done.push("pick"),
    save: (file) => files.push(file),
    openRun: (run) => done.push(run),
    showLog: () => done.push("log"),
    onProblem: (message) => done.push(message),
  });
  const types = () => posted.map(({ type }) => type);
  return { talk, service, asked, posted, files, types, done };
}

/** Waits until pending promises have settled. */
const settle = () => wait(5);

test("sends the panel only the jobs that are comparisons", async () => {
  const { talk, posted } = begin();
  talk.handleMessage({ type: "ready", place: home, ask: null });
  await settle();
  const [jobs] = posted;
  assert.ok(jobs?.type === "jobs");
  assert.deepEqual(
    jobs.jobs.map(({ id }) => id),
    ["c1"],
  );
  talk.dispose();
});

test("plans again for a panel that returns to a plan, and shows a started comparison", async () => {
  const { talk, asked, posted, types } = begin();
  talk.handleMessage({ type: "ready", place: planned, ask });
  await settle();
  assert.deepEqual(types(), ["plan"]);
  talk.handleMessage({ type: "start", ask });
  await settle();
  assert.deepEqual(posted.at(-1), { type: "show", place: { kind: "comparison", id: "c9" } });
  assert.deepEqual(asked, ["plan", "start in /w with k"]);
  talk.dispose();
});

test("shows a choice made elsewhere before the panel's script ran, once the script runs", async () => {
  const { talk, posted } = begin();
  talk.show({ type: "showPlan", ask });
  await settle();
  assert.deepEqual(posted, []);
  talk.handleMessage({ type: "ready", place: home, ask: null });
  assert.deepEqual(posted, [{ type: "showPlan", ask }]);
  talk.dispose();
});

test("follows the shown comparison at most twice a second, and not for a hidden panel", async () => {
  const { talk, service, types } = begin();
  const changed = () => service.notices.benchChanged.fire({ jobs: [makeListed()] });
  talk.handleMessage({ type: "ready", place: comparison, ask: null });
  await settle();
  for (let times = 0; times < 5; times += 1) changed();
  await wait(550);
  talk.setVisible(false);
  changed();
  await wait(550);
  assert.deepEqual(types(), ["comparison", "comparison"]);
  talk.setVisible(true);
  await wait(550);
  assert.equal(types().length, 3);
  talk.dispose();
});

test("cancelling and resuming look again; a run opens in its own panel with its pair", async () => {
  const { talk, asked, done } = begin();
  talk.handleMessage({ type: "ready", place: comparison, ask: null });
  talk.handleMessage({ type: "cancel", id: "c1" });
  await settle();
  talk.handleMessage({ type: "resume", id: "c1" });
  await settle();
  assert.deepEqual(asked, ["read c1", "cancel c1", "read c1", "resume c1", "read c1"]);
  talk.handleMessage({ type: "openRun", id: "c1", runId: "r1", beside: "r2" });
  talk.handleMessage({ type: "openRun", id: "c1", runId: "r1", beside: null });
  assert.deepEqual(done, [
    { kind: "run", id: "c1", runId: "r1", beside: { id: "c1", runId: "r2" } },
    { kind: "run", id: "c1", runId: "r1", beside: null },
  ]);
  talk.dispose();
});

test("the exported Markdown holds the sentence and both sides, and no name can add to it", async () => {
  const name = "evil.md |\n# Better <b>*now*</b>";
  const view = makeComparison({
    comparison: {
      title: plainSentence(name),
      result: makeResult({ sentence: compose`${name} takes less.` }),
    },
  });
  const { talk, files } = begin({ benchRead: () => succeed({ view }) });
  talk.handleMessage({ type: "ready", place: comparison, ask: null });
  talk.handleMessage({ type: "export", id: "c1", format: "markdown" });
  await settle();
  const { name: proposed = "", text = "" } = files[0] ?? {};
  assert.equal(proposed, "c1.md");
  const lines = text.split("\n");
  const headings = lines.filter((line) => line.startsWith("#")).map((line) => line.split(" ", 1)[0]);
  assert.deepEqual(headings, ["#", "##", "###"]);
  assert.ok(lines.includes("| haiku | 30,500 | 214,000 | 15 of 16 | 15.9 | 61 | – |"), text);
  assert.ok(!text.includes("<b>"));
  talk.dispose();
});

test("exports every figure as JSON, and nothing of the user's files", async () => {
  const secret = "words of the user's own prompt";
  const change = { kind: "prompt", name: "lean.md", definition: secret } as const;
  const view = makeComparison({ change: { ask: { ...ask, change } } });
  const { talk, files } = begin({ benchRead: () => succeed({ view }) });
  talk.handleMessage({ type: "ready", place: comparison, ask: null });
  talk.handleMessage({ type: "export", id: "c1", format: "json" });
  await settle();
  const text = files[0]?.text ?? "";
  const { schema, result } = z.object({ schema: z.number(), result: z.unknown() }).parse(JSON.parse(text));
  assert.deepEqual([schema, result], [1, makeResult()]);
  assert.ok(!text.includes(secret));
  talk.dispose();
});

test("exports nothing before there is a verdict, and reports that", async () => {
  const { talk, files, posted } = begin({ benchRead: () => succeed({ view: makeRunning() }) });
  talk.handleMessage({ type: "ready", place: home, ask: null });
  talk.handleMessage({ type: "export", id: "c1", format: "json" });
  await settle();
  assert.deepEqual(files, []);
  assert.ok(posted.some((one) => one.type === "error" && one.about === "export"));
  talk.dispose();
});

test("reports being offline and failures, and waits for a service that is starting", async () => {
  const offline = begin({ benchPlan: () => fail("offline", plainSentence("Reload the window.")) });
  offline.talk.handleMessage({ type: "ready", place: planned, ask });
  await settle();
  assert.deepEqual(offline.posted, [{ type: "offline", message: "Reload the window." }]);
  const failing = begin({
    benchPlan: () => fail("failed", plainSentence("no recording")),
    benchRead: () => fail("failed", plainSentence("EIO")),
  });
  failing.talk.handleMessage({ type: "ready", place: planned, ask });
  await settle();
  assert.deepEqual(failing.posted, [{ type: "plan", ask, plan: null, problem: "no recording" }]);
  failing.talk.handleMessage({ type: "look", place: comparison });
  await settle();
  const error = failing.posted.at(-1);
  assert.ok(error?.type === "error" && error.message.includes("EIO"));
  const starting = begin({ benchList: () => fail("starting", plainSentence("not yet")) });
  starting.talk.handleMessage({ type: "ready", place: home, ask: null });
  await settle();
  assert.deepEqual(starting.posted, []);
  for (const { talk } of [offline, failing, starting]) talk.dispose();
});

test("spends nothing unless a page sends a complete start message", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.anything(), fc.record({ type: fc.constantFrom("start", "plan"), ask: fc.object() })),
      (said) => {
        const { talk, asked } = begin();
        talk.handleMessage(said);
        assert.ok(!asked.some((name) => name.startsWith("start")));
        talk.dispose();
      },
    ),
  );
});

test("sends its state at once when the service arrives after the panel was ready", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let isThere = false;
  const { talk, service, types } = begin({
    benchList: () =>
      isThere ? succeed({ jobs: [makeListed()] }) : fail("starting", plainSentence("not connected yet")),
  });
  t.after(() => talk.dispose());
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  talk.handleMessage({ type: "ready", place: home, ask: null });
  await turns();
  const before = types().filter((type) => type === "jobs").length;
  isThere = true;
  service.switchService();
  await turns();
  assert.deepEqual([before, types().filter((type) => type === "jobs").length], [0, 1]);
});
