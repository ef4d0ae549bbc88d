import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import test from "node:test";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { RulesControllerHarness } from "../support/rules-controller-harness.ts";

test("shows a decision with its answer and ignores its own notice, but requests others' decisions", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const harness = new RulesControllerHarness();
  t.after(() => harness.talk.dispose());
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    t.mock.timers.tick(1000);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const asked = () => harness.service.asked.splice(0).map(({ name }) => name);
  harness.talk.handleMessage({ type: "ready", place: null });
  await turns();
  asked();
  // Its notification may arrive before the answer, and is repeated when the service notifies once a second.
  const { rulesAct } = harness.service.answersTo;
  harness.service.answersTo.rulesAct = async (params) => {
    const done = await rulesAct?.(params);
    harness.notifyChanged();
    return done ?? fail("failed", plainSentence("nobody answers"));
  };
  const before = harness.posted.length;
  harness.talk.handleMessage({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await turns();
  harness.notifyChanged();
  await turns();
  assert.deepEqual(asked(), ["rulesAct"]);
  assert.deepEqual(
    harness.posted.slice(before).map(({ type }) => type),
    ["rules", "done", "unreached"],
  );
  harness.changed(1);
  await turns();
  assert.deepEqual(asked(), ["rulesRead"]);
  // Another client's change while a decision is pending.
  harness.service.answersTo.rulesAct = async (params) => {
    const done = await rulesAct?.(params);
    harness.changed(1);
    return done ?? fail("failed", plainSentence("nobody answers"));
  };
  harness.talk.handleMessage({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await turns();
  assert.deepEqual(asked(), ["rulesAct", "rulesRead"]);
  // Another service restarts the revision count.
  harness.revision = 0;
  harness.service.switchService();
  await turns();
  harness.changed(1);
  await turns();
  const again = asked().filter((name) => name !== "benchList");
  assert.deepEqual(again, ["rulesRead", "rulesRead"]);
});

test("An answer that is older than a decision's does not take its place", async (t) => {
  const harness = await new RulesControllerHarness().begun();
  t.after(() => harness.talk.dispose());
  let finish: () => void = () => undefined;
  const late = new Promise<void>((resolve) => (finish = resolve));
  const old = harness.view;
  harness.service.answersTo.rulesRead = async () => {
    await late;
    return succeed({ view: old, revision: 0 });
  };
  harness.changed(1);
  await waitUntil(() => harness.service.asked.filter(({ name }) => name === "rulesRead").length === 2);
  harness.view = { ...old, rules: old.rules.slice(0, 1) };
  harness.talk.handleMessage({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await waitUntil(() => harness.posted.some(({ type }) => type === "done"));
  const shown = () => harness.posted.findLast((message) => message.type === "rules")?.view.rules.length;
  assert.equal(shown(), 1);
  finish();
  await waitUntil(() => harness.posted.at(-1)?.type === "unreached");
  assert.equal(shown(), 1);
});
