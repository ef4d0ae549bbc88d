import { plainSentence } from "../../../../src/engine/base/language.ts";
import { existsSync } from "node:fs";
import path from "node:path";
import test, { type TestContext } from "node:test";
import * as z from "zod/mini";
import type { RuleView } from "../../../../src/engine/rules/rules-answers.ts";
import { setId } from "../../../../src/engine/rules/together/set.ts";
import { receiptSchema, sealReceipt, type Receipt } from "../../../../src/engine/verdict/receipt/receipt.ts";
import { served } from "../../service/support/rules-service.ts";
import { acted, added, decided, measurementParams, sentence } from "../../service/support/rules-acts.ts";
import { assert } from "../../support/assert-texts.ts";

type Kind = Receipt["verdict"]["kind"];

/** A receipt of runs that were shared with another rule. */
function sharedReceipt(json: string): string {
  const facts = z.omit(receiptSchema, { seal: true }).parse(JSON.parse(json));
  return JSON.stringify(sealReceipt({ ...facts, together: ["r0000000000"] }));
}

/** A service with two rules that passed, by default with the same runs. */
async function found(t: TestContext, isBySetting = false, isShared: readonly boolean[] = [true, true]) {
  const { client, root } = await served(t, { rulesAutoActivate: isBySetting });
  const ids = [
    await added(client, sentence),
    await added(client, "List a folder before you open files in it."),
  ];
  for (const [index, id] of ids.entries()) {
    await decided(client, { id, act: { kind: "approve" }, root });
    const made = measurementParams(id, "saves", root);
    const receipt = isShared[index] === true ? sharedReceipt(made.receipt) : made.receipt;
    const measured = { ...made, receipt, isActivated: true, isHeld: true };
    assert.equal(
      (await acted(client.ask("rulesMeasured", measured))).status,
      "measured",
      "it waits for its set",
    );
  }
  const rules = async (): Promise<RuleView[]> => {
    const read = await client.ask("rulesRead", { root });
    assert.ok(read.ok);
    return ids.flatMap((id) => read.value.view.rules.find((rule) => rule.id === id) ?? []);
  };
  return { client, root, ids, rules, memory: path.join(root, "agent-memory", "scout", "MEMORY.md") };
}

/** The measurement of a set, as a selection reports it. */
function wholeParams(
  ids: readonly string[],
  kind: Kind,
  root: string,
  driver: "claude" | "replay" = "claude",
) {
  const made = measurementParams(ids[0] ?? "", "saves", root, driver);
  const facts = z.omit(receiptSchema, { seal: true }).parse(JSON.parse(made.receipt));
  const id = setId("scout", ids);
  const receipt = sealReceipt({
    ...facts,
    id: `whole-${kind}-${driver}`,
    subject: { kind: "set", id, title: plainSentence("as a whole") },
    verdict: { ...facts.verdict, kind },
    set: ids.map((rule) => ({ id: rule, title: rule, isFound: true, savingShare: null, receiptId: null })),
  });
  const evidence = { ...made.evidence, ruleId: id, id: `whole-${kind}` };
  return { receipt: JSON.stringify(receipt), evidence, isActivated: false, root };
}

test("Held rules wait until their set is confirmed; those that need no consent are then admitted", async (t) => {
  for (const isBySetting of [false, true]) {
    const { client, root, ids, rules, memory } = await found(t, isBySetting);
    assert.deepEqual(
      (await rules()).map(({ status, set }) => [status, set?.decision, set?.rules]),
      [
        ["measured", null, 2],
        ["measured", null, 2],
      ],
    );
    const done = await client.ask("rulesConfirmed", wholeParams(ids, "saves", root));
    assert.ok(done.ok, done.ok ? "" : done.detail.text);
    const after = await rules();
    assert.deepEqual(done.value.rules, after);
    for (const { status, set, steps, canUndo } of after) {
      assert.equal(status, isBySetting ? "active" : "measured");
      assert.deepEqual([set?.decision, set?.receiptId, canUndo], ["confirmed", "whole-saves-claude", false]);
      assert.match(
        steps.at(-1)?.why ?? "",
        /^confirmed in a set of 2 rules: It is decided\. \(set receipt whole-saves-claude\)$/u,
      );
    }
    assert.equal(existsSync(memory), isBySetting);
    const pooled = await client.ask("rulesEvidence", { agent: "scout" });
    assert.ok(pooled.ok && pooled.value.evidence.some(({ ruleId }) => ruleId === setId("scout", ids)));
    const kept = await client.ask("rulesReceipt", { id: "whole-saves-claude" });
    assert.equal(kept.ok && kept.value.json, wholeParams(ids, "saves", root).receipt);
    const again = await client.ask("rulesConfirmed", wholeParams(ids, "saves", root));
    assert.equal(again.ok, false, "a set is settled once");
  }
});

test("Rules that were measured apart wait for no set, only those that a selection found with the same runs", async (t) => {
  for (const isShared of [
    [false, false],
    [true, false],
  ]) {
    const { rules } = await found(t, false, isShared);
    assert.deepEqual(
      (await rules()).map(({ status, set }) => [status, set]),
      [
        ["measured", undefined],
        ["measured", undefined],
      ],
    );
  }
});

test("A refused set is shelved under any setting; an undecided one waits for a person, who may admit it", async (t) => {
  const refused = await found(t, true);
  for (const kind of ["regression", "costs"] as const) {
    await refused.client.ask("rulesConfirmed", {
      ...wholeParams(refused.ids, kind, refused.root),
      isActivated: true,
    });
    assert.deepEqual(
      (await refused.rules()).map(({ status, set }) => [status, set?.decision]),
      [
        ["shelved", "refused"],
        ["shelved", "refused"],
      ],
    );
  }
  assert.equal(existsSync(refused.memory), false);

  const { client, root, ids, rules, memory } = await found(t, true);
  await client.ask("rulesConfirmed", { ...wholeParams(ids, "undecided", root), isActivated: true });
  assert.deepEqual(
    (await rules()).map(({ status, set }) => [status, set?.decision]),
    [
      ["measured", "undecided"],
      ["measured", "undecided"],
    ],
  );
  assert.equal(existsSync(memory), false);
  const letIn = await decided(client, { id: ids[0] ?? "", act: { kind: "approve" }, root });
  assert.deepEqual([letIn.status, letIn.set?.decision, existsSync(memory)], ["active", "undecided", true]);
});

test("A rule rejected in the meantime stays rejected, and one that was never measured is not admitted", async (t) => {
  const { client, root, ids, rules } = await found(t);
  const [first = ""] = ids;
  await decided(client, { id: first, act: { kind: "reject", why: "no" }, root });
  const third = await added(client, "Ask for one file at a time.");
  await client.ask("rulesConfirmed", { ...wholeParams([...ids, third], "saves", root), isActivated: true });
  assert.deepEqual(
    (await rules()).map(({ status }) => status),
    ["evicted", "active"],
  );
  const read = await client.ask("rulesRead", { root });
  assert.equal(read.ok && read.value.view.rules.find(({ id }) => id === third)?.status, "candidate");
});

test("Only a sealed receipt of exactly this set decides anything", async (t) => {
  const { client, root, ids, rules } = await found(t, true);
  const good = wholeParams(ids, "saves", root);
  const refused = [
    { ...good, receipt: good.receipt.replace('"saves"', '"costs"') },
    { ...good, evidence: { ...good.evidence, ruleId: setId("scout", [...ids, "r1"]) } },
    { ...good, receipt: measurementParams(ids[0] ?? "", "saves", root).receipt },
    wholeParams(ids, "saves", root, "replay"),
  ];
  for (const asked of refused) assert.equal((await client.ask("rulesConfirmed", asked)).ok, false);
  assert.ok((await rules()).every(({ status, set }) => status === "measured" && set?.decision === null));
});

test("A rule found alone is admitted if no consent is needed, and otherwise waits", async (t) => {
  for (const isBySetting of [false, true]) {
    const { client, root, ids, rules } = await found(t, isBySetting);
    const done = await client.ask("rulesFoundAlone", { ruleId: ids[0] ?? "", isActivated: false, root });
    assert.equal(done.ok && done.value.rule?.status, isBySetting ? "active" : undefined);
    assert.equal((await rules())[0]?.status, isBySetting ? "active" : "measured");
  }
});
