import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { fail, succeed, type Result } from "../../../src/engine/base/result.ts";
import type { EconomyView } from "../../../src/engine/recurring/recurring-answers.ts";
import { EconomyController } from "../../../src/extension/economy/economy-controller.ts";
import type { AskFailure } from "../../../src/extension/service/connection.ts";
import type { HostMessage } from "../../../src/webview/economy/economy-protocol.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { makeEconomy } from "../../webview/economy/fixtures.ts";
import { fresh } from "../../webview/ledger/fixtures.ts";
import { FakeConnection } from "../support/fake-connection.ts";

const day = 24 * 60 * 60_000;

function start() {
  const posted: HostMessage[] = [];
  const did: string[] = [];
  const asked: unknown[] = [];
  const state: { answer: Result<{ view: EconomyView }, AskFailure> } = {
    answer: succeed({ view: makeEconomy() }),
  };
  const service = new FakeConnection({
    economyView: (params) => {
      asked.push(params);
      return state.answer;
    },
  });
  const controller = new EconomyController({
    service,
    t: (text, ...values) =>
      values.reduce<string>((made, value, index) => made.replace(`{${index}}`, String(value)), text),
    post: (message) => posted.push(message),
    openSession: (id) => did.push(`session ${id}`),
    openAgent: (project, agent) => did.push(`agent ${project} ${agent}`),
    getStarted: () => did.push("start"),
    now: () => 100 * day,
    showLog: () => did.push("log"),
    onProblem: (message) => did.push(message),
  });
  return { posted, did, asked, state, service, controller };
}

test("requests the chosen period and project, again after each change", async (t) => {
  const { posted, asked, controller, service } = start();
  t.after(() => controller.dispose());
  controller.handleMessage({ type: "ready", days: 30, project: null });
  await waitUntil(() => posted.length === 1);
  assert.deepEqual(posted, [{ type: "economy", days: 30, project: null, view: makeEconomy() }]);
  controller.handleMessage({ type: "narrow", days: 7, project: "/p" });
  await waitUntil(() => posted.length === 2);
  assert.deepEqual(asked, [
    { since: 70 * day, project: null },
    { since: 93 * day, project: "/p" },
  ]);
  service.notices.ledgerChanged.fire({ freshness: fresh });
  await waitUntil(() => posted.length === 3);
});

test("follows the page's links, and reports a failure", async (t) => {
  const { posted, did, state, controller } = start();
  t.after(() => controller.dispose());
  controller.handleMessage({ type: "openSession", id: "s" });
  controller.handleMessage({ type: "openAgent", project: "/p", agent: "a" });
  controller.handleMessage({ type: "getStarted" });
  assert.deepEqual(did, ["session s", "agent /p a", "start"]);
  state.answer = fail("failed", plainSentence("no room"));
  controller.handleMessage({ type: "ready", days: 30, project: null });
  await waitUntil(() => posted.length === 1);
  assert.deepEqual(posted, [{ type: "error", message: "What agents cost could not be read: no room" }]);
});
