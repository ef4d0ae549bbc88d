import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import type { ReportView } from "../../../src/engine/rules/rules-answers.ts";
import type { AskFailure } from "../../../src/extension/service/connection.ts";
import { StatusController } from "../../../src/extension/report/report-controller.ts";
import type { HostMessage } from "../../../src/webview/report/report-protocol.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { makeReport } from "../../webview/report/fixtures.ts";
import { fresh } from "../../webview/ledger/fixtures.ts";
import { FakeConnection } from "../support/fake-connection.ts";

/** A conversation with a service. The test defines its answers. */
class ControllerHarness {
  readonly posted: HostMessage[] = [];
  readonly did: string[] = [];
  readonly service: FakeConnection;
  readonly talk: StatusController;
  asked = 0;
  project: string | null = null;
  answer: Result<{ report: ReportView }, AskFailure> = succeed({ report: makeReport() });

  constructor() {
    this.service = new FakeConnection({
      rulesReport: ({ project }) => {
        this.asked += 1;
        this.project = project;
        return this.answer;
      },
    });
    this.talk = new StatusController({
      service: this.service,
      t: (text, ...values) =>
        values.reduce<string>((made, value, index) => made.replace(`{${index}}`, String(value)), text),
      post: (message) => this.posted.push(message),
      review: (id) => this.did.push(`review ${String(id)}`),
      openBenchmark: () => this.did.push("benchmark"),
      save: ({ agents }, project) => this.did.push(`save ${agents.length} agents of ${String(project)}`),
      getStarted: () => this.did.push("start"),
      showLog: () => this.did.push("log"),
      onProblem: (message) => this.did.push(message),
    });
  }

  async begun(): Promise<this> {
    this.talk.handleMessage({ type: "ready", project: null });
    await waitUntil(() => this.posted.length === 1);
    return this;
  }
}

test("It answers with the whole report as soon as the panel's script runs", async (t) => {
  const { talk, posted } = await new ControllerHarness().begun();
  t.after(() => talk.dispose());
  assert.deepEqual(posted, [{ type: "report", report: makeReport() }]);
});

test("saves nothing before there is a report", (t) => {
  const { talk, did } = new ControllerHarness();
  t.after(() => talk.dispose());
  talk.handleMessage({ type: "export" });
  assert.deepEqual(did, []);
});

test("requests the chosen project's report, again after each change", async (t) => {
  const one = await new ControllerHarness().begun();
  t.after(() => one.talk.dispose());
  one.talk.handleMessage({ type: "narrow", project: "/p" });
  await waitUntil(() => one.posted.length === 2);
  assert.equal(one.project, "/p");
  one.talk.handleMessage({ type: "export" });
  assert.match(one.did.at(-1) ?? "", /^save \d+ agents of \/p$/u);
  one.talk.handleMessage({ type: "retry" });
  await waitUntil(() => one.posted.length === 3);
  assert.equal(one.project, "/p");
});

test("combines changes into one request, and makes none for a hidden panel", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const one = new ControllerHarness();
  t.after(() => one.talk.dispose());
  const settled = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  one.service.notices.ledgerChanged.fire({ freshness: fresh });
  assert.equal(one.asked, 0, "nobody has asked yet");
  one.talk.handleMessage({ type: "ready", project: null });
  await settled();
  for (const change of [1, 2, 3])
    one.service.notices.rulesChanged.fire({ waiting: change, revision: change });
  one.service.notices.ledgerChanged.fire({ freshness: fresh });
  assert.equal(one.asked, 1);
  t.mock.timers.tick(5000);
  await settled();
  assert.equal(one.asked, 2);
  t.mock.timers.tick(5000);
  one.talk.setVisible(false);
  one.service.notices.ledgerChanged.fire({ freshness: fresh });
  await settled();
  assert.equal(one.asked, 2);
  one.talk.setVisible(true);
  await settled();
  assert.equal(one.asked, 3);
});

test("sends its state at once when the service arrives, even during a long pause between changes", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const one = new ControllerHarness();
  t.after(() => one.talk.dispose());
  const settled = async () => {
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  one.answer = fail("starting", plainSentence("not yet"));
  one.talk.handleMessage({ type: "ready", project: null });
  await settled();
  one.answer = succeed({ report: makeReport() });
  one.service.switchService();
  await settled();
  assert.deepEqual(one.posted, [{ type: "report", report: makeReport() }]);
  // Another service connects during the rest period after the last notification.
  one.service.switchService();
  await settled();
  assert.equal(one.posted.length, 2);
});

test("reports failures with their reason, and waits for a service that is starting", async (t) => {
  const one = await new ControllerHarness().begun();
  t.after(() => one.talk.dispose());
  one.answer = fail("offline", plainSentence("It is away."));
  one.talk.handleMessage({ type: "retry" });
  await waitUntil(() => one.posted.length === 2);
  one.answer = fail("failed", plainSentence("locked"));
  one.talk.handleMessage({ type: "retry" });
  await waitUntil(() => one.posted.length === 3);
  one.answer = fail("starting", plainSentence("not yet"));
  one.talk.handleMessage({ type: "retry" });
  await waitUntil(() => one.asked === 4);
  assert.deepEqual(one.posted.slice(1), [
    { type: "offline", message: "It is away." },
    { type: "error", message: "The report could not be made: locked" },
  ]);
  assert.equal(one.service.retried, 3);
});

test("buttons perform their action; an unknown message does nothing", async (t) => {
  const one = await new ControllerHarness().begun();
  t.after(() => one.talk.dispose());
  for (const text of [
    { type: "review", id: "r1" },
    { type: "review", id: null },
    { type: "openBenchmark" },
    { type: "getStarted" },
    { type: "showLog" },
    { type: "rm" },
    "x",
    null,
    { type: "review", id: "" },
  ])
    one.talk.handleMessage(text);
  const misunderstood = "The Status panel sent a message that is not understood.";
  assert.deepEqual(one.did, [
    "review r1",
    "review null",
    "benchmark",
    "start",
    "log",
    ...Array.from({ length: 4 }, () => misunderstood),
  ]);
});
