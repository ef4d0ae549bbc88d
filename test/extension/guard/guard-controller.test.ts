import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { Emitter } from "../../../src/engine/base/events.ts";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import type { GuardView, GuardReplay } from "../../../src/engine/guard/guard-answers.ts";
import {
  GuardController,
  type ModeChange,
  PastReplay,
} from "../../../src/extension/guard/guard-controller.ts";
import type { TrialHead } from "../../../src/engine/rules/trial-answers.ts";
import type { AskFailure } from "../../../src/extension/service/connection.ts";
import type { HostMessage } from "../../../src/webview/guard/guard-protocol.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { addedException, makeBook, makeView } from "../../webview/guard/fixtures.ts";
import { fresh } from "../../webview/ledger/fixtures.ts";
import { FakeConnection } from "../support/fake-connection.ts";

const now = new Date("2026-11-24T10:00:00").getTime();

function makeTrial(own: Partial<TrialHead> = {}): TrialHead {
  const times = {
    startedAt: 1,
    stoppedAt: null,
    approvedBy: "user",
    planned: 1000,
    sessions: 0,
    holdOut: null,
    switchesOff: false,
  };
  return { id: "t1", agent: "*", project: null, ruleIds: ["guard:output"], ...times, ...own };
}

/** A conversation with a service. The test defines its answers. */
class ControllerHarness {
  readonly posted: HostMessage[] = [];
  /** The trials that were sent. */
  readonly shown: string[] = [];
  readonly did: string[] = [];
  readonly changes: ModeChange[] = [];
  readonly settings = new Emitter<void>();
  readonly service: FakeConnection;
  readonly talk: GuardController;
  answer: Result<{ view: GuardView }, AskFailure> = succeed({ view: makeView() });
  refusal: Result<never, AskFailure> | null = null;
  modeFailure: Error | null = null;
  hasHooks = false;
  trials: TrialHead[] = [];
  isUnsaved = false;
  since: number | null = null;

  constructor() {
    this.service = new FakeConnection({
      guardRead: () => this.answer,
      guardRules: () => succeed({ book: makeBook() }),
      guardExcept: () => this.refusal ?? succeed(addedException()),
      guardUndo: () => this.refusal ?? succeed({}),
      guardMistake: () => succeed({}),
      guardWake: () => this.refusal ?? succeed({}),
      guardUnwake: () => this.refusal ?? succeed({}),
      trialList: () => succeed({ trials: this.trials }),
      trialStatus: ({ id }) => {
        const trial = this.trials.find((each) => each.id === id);
        assert.ok(trial !== undefined);
        const none = { rules: [], drawn: [], undrawn: [], undrawnCount: 0, analysed: 0, missing: [] };
        return succeed({ trial: { ...trial, ...none } });
      },
      trialStart: (asked) => {
        this.did.push(`try ${String(asked.guards)} ${asked.isApproved ? "approved" : ""}`);
        return (
          this.refusal ??
          succeed({
            plan: { ...asked, rules: [], programs: [], holdOut: null, switchesOff: false },
            trial: null,
          })
        );
      },
      trialStop: ({ id }) => {
        this.did.push(`stop ${id}`);
        return this.refusal ?? succeed({ trial: makeTrial({ id, stoppedAt: now }) });
      },
    });
    this.talk = new GuardController({
      service: this.service,
      clock: { now: () => now },
      t: (text, ...values) =>
        values.reduce<string>((made, value, index) => made.replace(`{${index}}`, String(value)), text),
      post: (message) => {
        if (message.type === "trials") this.shown.push(message.trials.map(({ id }) => id).join(" "));
        else this.posted.push(message);
      },
      setMode: async (change) => {
        await Promise.resolve();
        if (this.modeFailure !== null) throw this.modeFailure;
        this.changes.push(change);
      },
      onSince: { get: () => this.since, set: (at) => (this.since = at) },
      onSettingsChange: (listener) => this.settings.on(listener),
      openSession: (id) => this.did.push(`session ${id}`),
      openUserFile: (file, line) => this.did.push(`file ${file} ${String(line)}`),
      openProjectFile: () => this.did.push("project"),
      hasProject: () => true,
      isUnsaved: (file) => this.isUnsaved && file === makeBook().file,
      showHooks: () => this.did.push("hooks"),
      hasHooks: () => this.hasHooks,
      installHooks: () => {
        this.hasHooks = true;
        return Promise.resolve();
      },
      showLog: () => this.did.push("log"),
      onProblem: (message) => this.did.push(message),
    });
  }

  async begun(): Promise<this> {
    this.talk.handleMessage({ type: "ready", days: 7 });
    await waitUntil(() => this.posted.length === 2);
    this.posted.length = 0;
    return this;
  }

  /** The messages from now on, once there are so many. */
  async heard(count: number): Promise<HostMessage[]> {
    await waitUntil(() => this.posted.length === count);
    return this.posted.splice(0);
  }

  asked(name: string): unknown[] {
    return this.service.asked.filter((each) => each.name === name).map(({ params }) => params);
  }
}

test("The page gets what rules did in whole days, and all rules", async (t) => {
  const one = new ControllerHarness();
  t.after(() => one.talk.dispose());
  one.talk.handleMessage({ type: "ready", days: 7 });
  const [view, rules] = await one.heard(2);
  assert.deepEqual(view, {
    type: "view",
    days: 7,
    from: "2026-11-18",
    to: "2026-11-24",
    view: makeView(),
    hasHooks: false,
    onSince: null,
  });
  assert.deepEqual(rules, { type: "rules", book: makeBook(), hasProject: true });
  assert.deepEqual(one.asked("guardRead"), [{ since: new Date("2026-11-18T00:00:00").getTime(), most: 200 }]);
  one.talk.handleMessage({ type: "show", days: 30 });
  assert.partialDeepStrictEqual(await one.heard(2), [{ days: 30, from: "2026-10-26" }, { type: "rules" }]);
});

test("requests the view after ledger changes, and the rules too after changes of settings", async (t) => {
  const one = await new ControllerHarness().begun();
  t.after(() => one.talk.dispose());
  one.service.notices.ledgerChanged.fire({ freshness: fresh });
  assert.partialDeepStrictEqual(await one.heard(1), [{ type: "view" }]);
  one.settings.fire();
  assert.partialDeepStrictEqual(await one.heard(2), [{ type: "view" }, { type: "rules" }]);
});

test("writes a mode together with the current modes, and reports a failure", async (t) => {
  const one = new ControllerHarness();
  t.after(() => one.talk.dispose());
  const modes = { all: "observe", families: { loops: "on" } } as const;
  one.answer = succeed({ view: makeView({ modes }) });
  await one.begun();
  one.talk.handleMessage({ type: "setMode", family: "safety", mode: "on" });
  await one.heard(1);
  assert.deepEqual(one.changes, [{ family: "safety", mode: "on", held: modes }]);
  one.modeFailure = new Error("settings.json has errors");
  one.talk.handleMessage({ type: "setMode", family: null, mode: "off" });
  assert.deepEqual(await one.heard(1), [
    { type: "error", message: "The mode could not be changed: settings.json has errors" },
  ]);
});

test("turns on the chosen families last, leaves the others watching, and remembers when", async (t) => {
  const one = new ControllerHarness();
  t.after(() => one.talk.dispose());
  one.answer = succeed({
    view: makeView({ modes: { all: "observe", families: { safety: "observe", loops: "off" } } }),
  });
  await one.begun();
  const chosen = ["safety", "secrets", "protect", "facts", "waste", "verification", "learned"] as const;
  one.talk.handleMessage({ type: "turnOn", families: [...chosen] });
  one.answer = succeed({ view: makeView({ modes: { all: "on", families: {} } }) });
  assert.partialDeepStrictEqual(await one.heard(1), [{ type: "view", onSince: now }]);
  assert.deepEqual(
    one.changes.map(({ family, mode, held }) => [family, mode, held.families]),
    [
      ["safety", null, { safety: "observe", loops: "off" }],
      ["output", "observe", { loops: "off" }],
      [null, "on", { loops: "off", output: "observe" }],
    ],
  );
  one.talk.handleMessage({ type: "setMode", family: null, mode: "observe" });
  await one.heard(1);
  assert.equal(one.since, null);
});

test("makes an exception from the host's record of a hit, not from the page's message", async (t) => {
  const one = await new ControllerHarness().begun();
  t.after(() => one.talk.dispose());
  const wish = { scope: "folder", days: 30 };
  one.talk.handleMessage({ type: "except", hit: "toolu_1:git-push-force", wish });
  assert.deepEqual(await one.heard(2), [
    { type: "excepted", hit: "toolu_1:git-push-force", added: addedException() },
    { type: "rules", book: makeBook(), hasProject: true },
  ]);
  assert.deepEqual(one.asked("guardExcept"), [
    {
      hit: { rule: "git-push-force", excerpt: "git push --force origin main", folder: "/home/mara/tides" },
      ...wish,
    },
  ]);
  // The hit was never reported to an agent.
  assert.deepEqual(one.asked("guardMistake"), []);
  one.talk.handleMessage({ type: "except", hit: "no such hit", wish });
  one.talk.handleMessage({ type: "undo", id: "x1" });
  assert.partialDeepStrictEqual(await one.heard(2), [{ type: "undone" }, { type: "rules" }]);
  assert.equal(one.asked("guardExcept").length, 1);
});

test("does not write a file with unsaved changes, and gives the reason for a refusal", async (t) => {
  const one = await new ControllerHarness().begun();
  t.after(() => one.talk.dispose());
  const except = {
    type: "except",
    hit: "toolu_1:git-push-force",
    wish: { scope: "everywhere", days: 30 },
  };
  one.isUnsaved = true;
  one.talk.handleMessage(except);
  assert.deepEqual(await one.heard(1), [
    {
      type: "error",
      message:
        "The exception could not be written: /home/mara/.purser/guard.yaml has unsaved changes. Save it and try again.",
    },
  ]);
  one.isUnsaved = false;
  one.refusal = fail("failed", plainSentence("guard.yaml: line 3: x"));
  one.talk.handleMessage(except);
  one.talk.handleMessage({ type: "undo", id: "x1" });
  assert.deepEqual(await one.heard(2), [
    { type: "error", message: "The exception could not be written: guard.yaml: line 3: x" },
    { type: "error", message: "The exception could not be written: guard.yaml: line 3: x" },
  ]);
});

test("reports to the page that hooks were installed", async (t) => {
  const one = await new ControllerHarness().begun();
  t.after(() => one.talk.dispose());
  one.talk.handleMessage({ type: "installHooks" });
  assert.partialDeepStrictEqual(await one.heard(1), [{ type: "view", hasHooks: true }]);
});

test("reports failures with their reason", async (t) => {
  const one = await new ControllerHarness().begun();
  t.after(() => one.talk.dispose());
  one.answer = fail("failed", plainSentence("locked"));
  one.talk.handleMessage({ type: "retry" });
  assert.partialDeepStrictEqual(
    (await one.heard(2)).filter(({ type }) => type === "error"),
    [{ message: "Guard activity could not be read: locked" }],
  );
  one.service.unreachable = fail("offline", plainSentence("It is away."));
  one.talk.handleMessage({ type: "retry" });
  assert.partialDeepStrictEqual(await one.heard(2), [
    { type: "offline", message: "It is away." },
    { type: "offline" },
  ]);
});

test("follows its links, and opens only files that the service names", async (t) => {
  const one = await new ControllerHarness().begun();
  t.after(() => one.talk.dispose());
  for (const message of [
    { type: "openSession", id: "s1" },
    { type: "openFile", whose: "user", line: 12, file: "/etc/passwd" },
    { type: "openFile", whose: "project", line: null },
    { type: "showHooks" },
    { type: "showLog" },
    { type: "openFile", whose: "nobody", line: 1 },
    { type: "setMode", family: "safety", mode: "deny" },
    null,
  ])
    one.talk.handleMessage(message);
  const misunderstood = "The Guard panel sent a message that is not understood.";
  assert.deepEqual(one.did, [
    "session s1",
    "file /home/mara/.purser/guard.yaml 12",
    "project",
    "hooks",
    "log",
    ...Array.from({ length: 3 }, () => misunderstood),
  ]);
});

test("records Allow… on a reported hit as a mistake, and wakes a silent rule", async (t) => {
  const one = await new ControllerHarness().begun();
  t.after(() => one.talk.dispose());
  const hit = "toolu_4:print-secret-file";
  one.talk.handleMessage({ type: "except", hit, wish: { scope: "command", days: 1 } });
  await one.heard(2);
  const part = { sessionId: "9b1c", rule: "print-secret-file", family: "secrets", done: "asked", at: now };
  assert.deepEqual(one.asked("guardMistake"), [{ hit, ...part }]);
  one.talk.handleMessage({ type: "wake", rule: "unbounded-log" });
  assert.partialDeepStrictEqual(await one.heard(1), [{ type: "view" }]);
  assert.deepEqual(one.asked("guardWake"), [{ rule: "unbounded-log", at: now }]);
  one.talk.handleMessage({ type: "unwake", rule: "smaller-output-json:kubectl get", at: now });
  assert.partialDeepStrictEqual(await one.heard(1), [{ type: "view" }]);
  assert.deepEqual(one.asked("guardUnwake"), [{ rule: "smaller-output-json:kubectl get", at: now }]);
  one.refusal = fail("failed", plainSentence("locked"));
  one.talk.handleMessage({ type: "wake", rule: "unbounded-log" });
  assert.deepEqual(await one.heard(1), [
    { type: "error", message: "The rule could not be restored: locked" },
  ]);
});

const nothing = { outputs: 0, written: 0, read: 0, usd: null, unpriced: 0 };
const replay: GuardReplay = {
  since: "2026-10-26T00:00:00.000Z",
  files: 3,
  sessions: 2,
  calls: 14,
  leftOut: { files: 0, families: ["facts"] },
  rules: [],
  outputs: { total: nothing, byRule: [], how: plainSentence("counted by words") },
};
const asked = { days: 30, family: null } as const;

/** A service that answers when the test decides. */
function scene() {
  const posted: HostMessage[] = [];
  let end: (answer: Result<{ replay: GuardReplay }, AskFailure>) => void = () => undefined;
  const service = new FakeConnection({ guardPlay: () => new Promise((resolve) => (end = resolve)) });
  const past = new PastReplay({
    service,
    t: (text, ...values) => text.replace("{0}", values.map(String).join()),
    post: (message) => posted.push(message),
    onProblem: () => undefined,
  });
  const kinds = () =>
    posted.splice(0).map((message) => (message.type === "replay" ? (message.state?.kind ?? "none") : ""));
  return { past, service, kinds, posted, end: (answer: Parameters<typeof end>[0]) => end(answer) };
}

test("A page hears that a replay begins, how far it is, and its result; one that starts later hears the result", async () => {
  const { past, service, kinds, posted, end } = scene();
  past.begin();
  assert.deepEqual(kinds(), []);
  const played = past.play(asked, 1000);
  // A second click sends no request.
  await past.play(asked, 1000);
  assert.deepEqual(
    service.asked.map(({ params }) => params),
    [{ since: 1000, family: null }],
  );
  service.notices.guardPlayed.fire({ files: 1, of: 3 });
  assert.deepEqual(posted.at(-1), {
    type: "replay",
    state: { kind: "playing", asked, far: { files: 1, of: 3 } },
  });
  end(succeed({ replay }));
  await played;
  assert.deepEqual(kinds(), ["playing", "playing", "done"]);
  past.begin();
  assert.deepEqual(posted, [{ type: "replay", state: { kind: "done", asked, replay } }]);
  past.dispose();
});

test("a cancelled replay keeps the last result, and a failed one gives the reason", async () => {
  const { past, kinds, posted, end } = scene();
  const first = past.play(asked, 1);
  end(succeed({ replay }));
  await first;
  const second = past.play({ days: 7, family: "safety" }, 2);
  past.cancel();
  end(succeed({ replay }));
  await second;
  assert.deepEqual(kinds(), ["playing", "done", "playing", "done"]);
  past.cancel();
  assert.deepEqual(kinds(), []);
  const third = past.play(asked, 3);
  end(fail("failed", plainSentence("the thread ended")));
  await third;
  assert.partialDeepStrictEqual(posted.at(-1), {
    state: { kind: "failed", message: "The replay failed: the thread ended" },
  });
  past.dispose();
});

test("shows trials of guards that run, else the last one, and starts and stops them", async () => {
  const harness = new ControllerHarness();
  const ofRules = makeTrial({ id: "r1", agent: "main", ruleIds: ["r123"] });
  harness.trials = [ofRules, makeTrial({ id: "t3" }), makeTrial({ id: "t2", stoppedAt: 5 })];
  harness.talk.handleMessage({ type: "ready", days: 7 });
  await waitUntil(() => harness.shown.at(-1) === "t3");
  harness.trials = [ofRules, makeTrial({ id: "t3", stoppedAt: 9 }), makeTrial({ id: "t2", stoppedAt: 5 })];
  harness.talk.handleMessage({ type: "stopTrial", id: "t3" });
  await waitUntil(() => harness.shown.length === 2);
  assert.equal(harness.shown.at(-1), "t3", "its result stays");
  harness.talk.handleMessage({ type: "startTrial", families: ["output", "advice"] });
  await waitUntil(() => harness.shown.length === 3);
  assert.deepEqual(harness.did, ["stop t3", "try output,advice approved"]);
  harness.refusal = fail("failed", plainSentence("guards on output do not act here"));
  harness.talk.handleMessage({ type: "startTrial", families: ["output"] });
  await waitUntil(() => harness.posted.some(({ type }) => type === "error"));
  const error = harness.posted.find((message) => message.type === "error");
  assert.match(error?.message ?? "", /The trial of guards failed: guards on output do not act here/u);
  harness.talk.dispose();
});
