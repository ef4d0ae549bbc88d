import assert from "node:assert/strict";
import test from "node:test";
import { fail, succeed } from "../../../src/engine/base/result.ts";
import { waitUntil } from "../../engine/support/wait-until.ts";
import { RulesTalk } from "../support/rules-talk.ts";

test("A decision is shown as it is answered, and no notice of it asks again; another's is asked about", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const told = new RulesTalk();
  t.after(() => told.talk.dispose());
  const turns = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    t.mock.timers.tick(1000);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const asked = () => told.service.asked.splice(0).map(({ name }) => name);
  told.talk.hear({ type: "ready", place: null });
  await turns();
  asked();
  // Its notification may arrive before the answer, and is repeated when the service notifies once a second.
  const { rulesAct } = told.service.answersTo;
  told.service.answersTo.rulesAct = async (params) => {
    const done = await rulesAct?.(params);
    told.tell();
    return done ?? fail("failed", "nobody answers");
  };
  const before = told.posted.length;
  told.talk.hear({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await turns();
  told.tell();
  await turns();
  assert.deepEqual(asked(), ["rulesAct"]);
  assert.deepEqual(
    told.posted.slice(before).map(({ type }) => type),
    ["rules", "done", "unreached"],
  );
  told.changed(1);
  await turns();
  assert.deepEqual(asked(), ["rulesRead"]);
  // Another client's change while a decision is pending.
  told.service.answersTo.rulesAct = async (params) => {
    const done = await rulesAct?.(params);
    told.changed(1);
    return done ?? fail("failed", "nobody answers");
  };
  told.talk.hear({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await turns();
  assert.deepEqual(asked(), ["rulesAct", "rulesRead"]);
  // Another service restarts the revision count.
  told.revision = 0;
  told.service.anew();
  await turns();
  told.changed(1);
  await turns();
  const again = asked().filter((name) => name !== "benchList");
  assert.deepEqual(again, ["rulesRead", "rulesRead"]);
});

test("An answer that is older than a decision's does not take its place", async (t) => {
  const told = await new RulesTalk().begun();
  t.after(() => told.talk.dispose());
  let finish: () => void = () => undefined;
  const late = new Promise<void>((resolve) => (finish = resolve));
  const old = told.view;
  told.service.answersTo.rulesRead = async () => {
    await late;
    return succeed({ view: old, revision: 0 });
  };
  told.changed(1);
  await waitUntil(() => told.service.asked.filter(({ name }) => name === "rulesRead").length === 2);
  told.view = { ...old, rules: old.rules.slice(0, 1) };
  told.talk.hear({ type: "act", id: "r0000000001", act: { kind: "approve" } });
  await waitUntil(() => told.posted.some(({ type }) => type === "done"));
  const shown = () => told.posted.findLast((message) => message.type === "rules")?.view.rules.length;
  assert.equal(shown(), 1);
  finish();
  await waitUntil(() => told.posted.at(-1)?.type === "unreached");
  assert.equal(shown(), 1);
});
