import { existsSync, readFileSync, writeFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import type { ServiceClient } from "../../../../src/engine/service/client.ts";
import type { ManyRulesAction } from "../../../../src/engine/rules/rules-answers.ts";
import { served } from "../../service/support/rules-service.ts";
import { acted, added, measurementParams } from "../../service/support/rules-acts.ts";
import { assert } from "../../support/assert-texts.ts";

const sentences = [
  "Read a file once and work from what you saw.",
  "Search once with one pattern for all names.",
  "Run the changed test before the whole suite.",
];

/** Performs an action on several rules; the answer has them as the ledger has. */
async function performed(client: ServiceClient, ids: string[], act: ManyRulesAction, root: string) {
  const done = await client.ask("rulesActOnMany", { ids, act, root });
  assert.ok(done.ok, done.ok ? "" : done.detail.text);
  const { view, revision, ...rest } = done.value;
  assert.deepEqual(await client.ask("rulesRead", { root }), succeed({ view, revision }));
  const states = ids.map((id) => view.rules.find((rule) => rule.id === id)?.status ?? null);
  return { ...rest, states };
}

async function three(client: ServiceClient): Promise<string[]> {
  const ids: string[] = [];
  for (const sentence of sentences) ids.push(await added(client, sentence));
  return ids;
}

test("Several rules are approved, taken back and rejected in one step each, by the user, once even if named twice", async (t) => {
  const { client, root } = await served(t);
  const ids = await three(client);
  const approved = await performed(client, [...ids, ...ids], { kind: "approve" }, root);
  assert.deepEqual([approved.ids, approved.refused], [ids, []]);
  assert.deepEqual(new Set(approved.states), new Set(["approved"]));
  const back = await performed(client, ids, { kind: "undo" }, root);
  assert.deepEqual(back.states, ["candidate", "candidate", "candidate"]);
  const gone = await performed(client, ids, { kind: "reject", why: "not here" }, root);
  assert.deepEqual(gone.states, ["evicted", "evicted", "evicted"]);
  const read = await client.ask("rulesRead", { root });
  assert.ok(read.ok);
  assert.deepEqual(
    read.value.view.rules.map(({ steps }) => `${steps.at(-1)?.who} ${steps.at(-1)?.why.text}`),
    ids.map(() => "user rejected: not here"),
  );
});

test("A rule to which the action does not apply stays as it is and is named with the reason; the others are changed", async (t) => {
  const { client, root } = await served(t);
  const [first = "", second = "", third = ""] = await three(client);
  await performed(client, [first], { kind: "approve" }, root);
  const done = await performed(client, [first, second, "r-none", third], { kind: "approve" }, root);
  assert.deepEqual(done.ids, [second, third]);
  assert.deepEqual(
    done.refused.map(({ id }) => id),
    [first, "r-none"],
  );
  const none = await performed(client, [first], { kind: "approve" }, root);
  assert.deepEqual([none.ids, none.refused.length], [[], 1]);
});

test("Approving several admits none that passed since; admitting takes those, and writes the memory once", async (t) => {
  const { client, root } = await served(t);
  const ids = await three(client);
  const [first = "", second = "", third = ""] = ids;
  await performed(client, ids, { kind: "approve" }, root);
  for (const id of [first, second])
    await acted(client.ask("rulesMeasured", measurementParams(id, "saves", root)));
  const file = path.join(root, "agent-memory", "scout", "MEMORY.md");
  const late = await performed(client, ids, { kind: "approve" }, root);
  assert.deepEqual([late.ids, late.states], [[], ["measured", "measured", "approved"]]);
  assert.equal(existsSync(file), false);
  const letIn = await performed(client, ids, { kind: "letIn" }, root);
  assert.deepEqual([letIn.ids, letIn.memories], [[first, second], []]);
  assert.deepEqual(
    letIn.refused.map(({ id }) => id),
    [third],
  );
  assert.match(readFileSync(file, "utf8"), /^<!-- purser v1 .*\n- .*\n- .*\n$/u);
  const back = await performed(client, [first, second], { kind: "undo" }, root);
  assert.deepEqual(back.states, ["measured", "measured"]);
  assert.equal(existsSync(file), false);
});

test("A rule with a replay only is never admitted among several", async (t) => {
  const { client, root } = await served(t);
  const [first = ""] = await three(client);
  await performed(client, [first], { kind: "approve" }, root);
  await acted(client.ask("rulesMeasured", measurementParams(first, "saves", root, "replay")));
  const done = await performed(client, [first], { kind: "letIn" }, root);
  assert.deepEqual([done.ids, done.states], [[], ["approved"]]);
});

test("Rules are also admitted if their agent's memory is the user's own file, which stays and is reported", async (t) => {
  const { client, root } = await served(t);
  const [first = ""] = await three(client);
  await performed(client, [first], { kind: "approve" }, root);
  await acted(client.ask("rulesMeasured", measurementParams(first, "saves", root)));
  const file = path.join(root, "agent-memory", "scout", "MEMORY.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "- Mine.\n");
  const done = await performed(client, [first], { kind: "letIn" }, root);
  assert.deepEqual([done.states, done.memories.map(({ agent }) => agent)], [["active"], ["scout"]]);
  assert.equal(readFileSync(file, "utf8"), "- Mine.\n");
});
