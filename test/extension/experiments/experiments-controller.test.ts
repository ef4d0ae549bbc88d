import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { Emitter } from "../../../src/engine/base/events.ts";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import {
  ExperimentsController,
  type FileDiff,
} from "../../../src/extension/experiments/experiments-controller.ts";
import { hostMessage, type HostMessage } from "../../../src/webview/experiments/experiments-protocol.ts";
import { trial } from "../../webview/experiments/open-panel.ts";
import { makeListed } from "../../webview/experiments/compare/fixtures.ts";
import { ask, choices, makeSummary, makeView, plan } from "../../webview/experiments/bench/fixtures.ts";
import { makePage } from "../../webview/experiments/bench/page-fixture.ts";
import { FakeConnection, type Answers } from "../support/fake-connection.ts";

const home = { kind: "home" } as const;
const form = { kind: "form" } as const;
const bench = { kind: "job", id: "b3" } as const;
const prompt = { agent: "sql", file: "/w/.claude/agents/sql.md", name: "sql.md", definition: "Be brief." };

/** A panel's host with fake surroundings. */
function begin(answers: Answers = {}) {
  const asked: string[] = [];
  const posted: HostMessage[] = [];
  const done: string[] = [];
  const problems: string[] = [];
  const noted = <Answer>(name: string, answer: Answer) => {
    asked.push(name);
    return Promise.resolve(succeed(answer));
  };
  const trust = new Emitter<void>();
  const edits = new Emitter<void>();
  const diffs: FileDiff[] = [];
  const saved: string[] = [];
  const service = new FakeConnection({
    benchChoices: () => noted("choices", choices),
    benchPlan: () => noted("plan", { plan }),
    benchStart: ({ env, project }) =>
      noted(`start in ${String(project)} with ${env["KEY"] ?? ""}`, { id: "b9" }),
    benchCancel: ({ id }) => noted(`cancel ${id}`, {}),
    benchResume: ({ id }) => noted(`resume ${id}`, {}),
    benchList: () => noted("list", { jobs: [makeSummary(), makeListed()] }),
    trialList: () => noted("trials", { trials: [trial] }),
    rulesRead: () => fail("failed", plainSentence("no rules")),
    benchRead: ({ id }) => noted(`read ${id}`, { view: makeView() }),
    benchRun: ({ runId }) => noted(`run ${runId}`, { page: makePage() }),
    benchChange: ({ id, runId, path }) =>
      noted(`change ${id} ${runId} ${path}`, { change: { before: "old\n", after: `${runId}\n` } }),
    ...answers,
  });
  const talk = new ExperimentsController({
    service,
    window: {
      workspace: () => "/w",
      isTrusted: () => true,
      env: () => ({ KEY: "k" }),
      began: (id) => done.push(`began ${id}`),
    },
    t: (message, ...values) => message.replace(/\{(\d)\}/gu, (_, index) => String(values[Number(index)])),
    post: (message) => posted.push(hostMessage.parse(message)),
    showLog: () => done.push("log"),
    manageTrust: () => done.push("trust"),
    openDiff: (diff) => diffs.push(diff),
    save: ({ name }) => saved.push(name),
    onTrust: (listener) => trust.on(listener),
    onProblem: (message) => problems.push(message),
    root: () => "/home/mara/.claude",
    prompts: () => Promise.resolve([prompt]),
    onPrompts: (listener) => edits.on(listener),
    copyPrompt: (agent, file) =>
      Promise.resolve(
        agent === "sql"
          ? succeed("/w/copy.md")
          : fail("no_prompt", plainSentence(`${String(file)} is missing`)),
      ),
    openFile: (file) => done.push(`open ${file}`),
    chooseFile: (subject) =>
      Promise.resolve(subject === "skill" ? undefined : succeed({ kind: "model", model: subject })),
    openRules: (page, agent) => done.push(`${page} of ${String(agent)}`),
    shorten: (agent) => done.push(`shorten ${agent}`),
    draftTasks: () => done.push("draft tasks"),
  });
  const types = () => posted.map(({ type }) => type).sort();
  return { talk, service, trust, edits, diffs, saved, asked, posted, types, done, problems };
}

/** Waits until pending promises have settled. */
const settle = () => wait(5);

test("sends the list all experiments and trials, and the form its choices", async () => {
  const { talk, posted, types } = begin();
  talk.handleMessage({ type: "ready", place: home, ask: null });
  await settle();
  const [listed] = posted;
  assert.ok(listed?.type === "jobs");
  assert.deepEqual([listed.jobs.map(({ id }) => id), listed.trials], [["b3", "c1"], [trial]]);
  talk.handleMessage({ type: "look", place: form });
  await settle();
  const offered = posted.at(-1);
  assert.ok(offered?.type === "choices");
  assert.deepEqual(
    [offered.prompts, offered.ruleAgents],
    [[prompt], []],
    "rules that cannot be read are left out",
  );
  assert.deepEqual(types(), ["choices", "jobs"]);
  talk.dispose();
});

test("sends the form its choices again when a folder is trusted, and when a prompt was saved", async () => {
  const { talk, trust, edits, types } = begin();
  talk.handleMessage({ type: "ready", place: form, ask: null });
  await settle();
  trust.fire();
  await settle();
  edits.fire();
  await settle();
  assert.deepEqual(types(), ["choices", "choices", "choices"]);
  talk.handleMessage({ type: "look", place: bench });
  await settle();
  edits.fire();
  talk.dispose();
  trust.fire();
  await settle();
  assert.equal(types().length, 4);
});

test("opens and copies only prompts that were offered, and reads a chosen file", async () => {
  const { talk, posted, done } = begin();
  talk.handleMessage({ type: "ready", place: home, ask: null });
  await settle();
  posted.length = 0;
  talk.handleMessage({ type: "openPrompt", file: prompt.file });
  talk.handleMessage({ type: "openPrompt", file: "/etc/passwd" });
  talk.handleMessage({ type: "copyPrompt", agent: "sql", file: null });
  await settle();
  talk.handleMessage({ type: "copyPrompt", agent: "frontend", file: null });
  await settle();
  talk.handleMessage({ type: "copyPrompt", agent: "sql", file: "/etc/passwd" });
  talk.handleMessage({ type: "chooseFile", subject: "skill" });
  talk.handleMessage({ type: "chooseFile", subject: "mcp" });
  await settle();
  assert.deepEqual(done, [`open ${prompt.file}`]);
  assert.deepEqual(
    posted.filter(({ type }) => type !== "choices"),
    [
      { type: "copied", file: "/w/copy.md" },
      { type: "error", about: "file", message: "null is missing" },
      { type: "chosen", subject: "mcp", change: { kind: "model", model: "mcp" } },
    ],
  );
  talk.dispose();
});

test("leads to rules and to the terminal", async () => {
  const { talk, done } = begin();
  talk.handleMessage({ type: "openRules", page: "trial", agent: "sql" });
  talk.handleMessage({ type: "openRules", page: "rules", agent: null });
  talk.handleMessage({ type: "shorten", agent: "sql" });
  talk.handleMessage({ type: "draftTasks" });
  await settle();
  assert.deepEqual(done, ["trial of sql", "rules of null", "shorten sql", "draft tasks"]);
  talk.dispose();
});

test("shows the form with what a command knows, once the page's script runs", async () => {
  const { talk, posted } = begin();
  talk.plan({ kind: "comparison", compare: { agent: "sql" } });
  await settle();
  assert.deepEqual(posted, []);
  talk.handleMessage({ type: "ready", place: home, ask: null });
  assert.deepEqual(posted, [{ type: "begin", seed: { kind: "comparison", compare: { agent: "sql" } } }]);
  talk.dispose();
});

test("shows what a run did to a file beside its earlier content, or beside another run's result", async () => {
  const { talk, diffs, posted } = begin();
  const asked = { type: "openChange", id: "b1", runId: "r1", path: "src/tide.ts", name: "Run 1" };
  talk.handleMessage({ ...asked, other: null });
  talk.handleMessage({ ...asked, other: { id: "b1", runId: "r2", name: "Run 2, shorter" } });
  await settle();
  const right = { name: "Run 1", text: "r1\n" };
  assert.deepEqual(diffs, [
    { path: "src/tide.ts", left: { name: "Before", text: "old\n" }, right },
    { path: "src/tide.ts", left: { name: "Run 2, shorter", text: "r2\n" }, right },
  ]);
  assert.deepEqual(posted, []);
  talk.dispose();
});

test("saves a bench in its current state, and reports one that cannot be read", async () => {
  const { talk, saved } = begin();
  talk.handleMessage({ type: "export", id: "b1", format: "json" });
  await settle();
  assert.deepEqual(saved, [`${makeView().id}.json`]);
  talk.dispose();
  const broken = begin({ benchRead: () => fail("failed", plainSentence("no disk")) });
  broken.talk.handleMessage({ type: "export", id: "b1", format: "json" });
  await settle();
  assert.deepEqual([broken.saved, broken.types()], [[], ["error"]]);
  broken.talk.dispose();
});

test("reports a change that was not stored, and opens nothing", async () => {
  const { talk, diffs, posted } = begin({ benchChange: () => succeed({ change: null }) });
  talk.handleMessage({ type: "openChange", id: "b1", runId: "r1", path: "a.ts", name: "Run 1", other: null });
  await settle();
  assert.deepEqual(diffs, []);
  assert.deepEqual(posted, [
    { type: "error", about: "run", message: "The changes of this run to a.ts were not kept." },
  ]);
  talk.dispose();
});

test("sends a panel that showed a run its bench, the run and the neighbouring run", async () => {
  const { talk, asked, types } = begin();
  talk.handleMessage({
    type: "ready",
    place: { kind: "run", id: "b3", runId: "one", beside: { id: "b3", runId: "two" } },
    ask,
  });
  await settle();
  assert.deepEqual(types(), ["job", "run", "run"]);
  assert.deepEqual(asked, ["read b3", "run one", "run two"]);
  talk.dispose();
});

test("sends the plan of the latest request, or the reason why there is none", async () => {
  let finish: (() => void) | undefined;
  const first = new Promise<void>((resolve) => (finish = resolve));
  const { talk, posted } = begin({
    benchPlan: async ({ ask: asked }) => {
      const runs = asked.kind === "bench" ? asked.runs : 0;
      if (runs === 3) await first;
      return runs === 3 ? succeed({ plan }) : fail("failed", plainSentence("the fixture was changed"));
    },
  });
  talk.handleMessage({ type: "plan", ask });
  talk.handleMessage({ type: "plan", ask: { ...ask, runs: 7 } });
  finish?.();
  await settle();
  assert.deepEqual(
    posted.map((message) =>
      message.type === "plan" && message.ask.kind === "bench" ? [message.ask.runs, message.problem] : [],
    ),
    [[7, "the fixture was changed"]],
  );
  talk.dispose();
});

test("shows a started job, and reads a cancelled or resumed one again", async () => {
  const { talk, asked, posted, done } = begin();
  talk.handleMessage({ type: "ready", place: home, ask });
  await settle();
  talk.handleMessage({ type: "start", ask });
  await settle();
  assert.deepEqual(posted.at(-1), { type: "show", place: { kind: "job", id: "b9" } });
  talk.handleMessage({ type: "look", place: bench });
  await settle();
  talk.handleMessage({ type: "cancel", id: "b3" });
  await settle();
  talk.handleMessage({ type: "resume", id: "b3" });
  await settle();
  assert.deepEqual(done, ["began b9", "began b3"], "what this window began or resumed is followed");
  assert.deepEqual(asked.slice(-5), ["read b3", "cancel b3", "read b3", "resume b3", "read b3"]);
  talk.dispose();
});

test("follows changes of the shown bench at most twice a second, and nothing for a hidden panel", async () => {
  const { talk, service, types } = begin();
  const changed = () => service.notices.benchChanged.fire({ jobs: [makeSummary()] });
  talk.handleMessage({ type: "ready", place: bench, ask: null });
  await settle();
  for (let times = 0; times < 5; times += 1) changed();
  await wait(550);
  assert.deepEqual(types(), ["job", "job"]);
  talk.setVisible(false);
  changed();
  await wait(550);
  assert.deepEqual(types(), ["job", "job"]);
  talk.setVisible(true);
  await wait(550);
  assert.deepEqual(types(), ["job", "job", "job"]);
  talk.dispose();
});

test("reports being offline and failures, and waits for a service that is starting", async () => {
  const offline = begin({ benchList: () => fail("offline", plainSentence("Reload the window.")) });
  offline.talk.handleMessage({ type: "ready", place: home, ask: null });
  await settle();
  assert.ok(offline.types().includes("offline"));
  const failing = begin({ benchRead: () => fail("failed", plainSentence("EIO")) });
  failing.talk.handleMessage({ type: "ready", place: bench, ask: null });
  await settle();
  const [error] = failing.posted;
  assert.ok(error?.type === "error" && error.message.includes("EIO"));
  const starting = begin({
    benchRead: () => fail("starting", plainSentence("not yet")),
    benchStart: () => fail("starting", plainSentence("not yet")),
  });
  starting.talk.handleMessage({ type: "ready", place: bench, ask: null });
  await settle();
  assert.deepEqual(starting.types(), []);
  starting.talk.handleMessage({ type: "start", ask });
  await settle();
  assert.deepEqual(starting.types(), ["error"], "who pressed a button is not left waiting");
  for (const { talk } of [offline, failing, starting]) talk.dispose();
});

test("a place named before the panel's script runs is shown as soon as it does", async () => {
  const { talk, service, posted, done } = begin();
  talk.show(bench);
  talk.handleMessage({ type: "ready", place: home, ask: null });
  assert.deepEqual(posted[0], { type: "show", place: bench });
  talk.show(home);
  assert.deepEqual(posted.at(-1), { type: "show", place: home });
  for (const type of ["showLog", "manageTrust", "retry"]) talk.handleMessage({ type });
  await settle();
  assert.deepEqual([done, service.retried], [["log", "trust"], 1]);
  talk.dispose();
});

test("never throws on a page's message, and logs one it does not understand", () => {
  fc.assert(
    fc.property(fc.anything(), (said) => {
      const { talk, problems, posted } = begin();
      talk.handleMessage(said);
      assert.equal(problems.length, 1);
      assert.deepEqual(posted, []);
      talk.dispose();
    }),
  );
});

test("sends its state at once when the service arrives after the panel was ready", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let isThere = false;
  const { talk, service, types } = begin({
    benchList: () =>
      isThere ? succeed({ jobs: [makeSummary()] }) : fail("starting", plainSentence("not connected yet")),
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
