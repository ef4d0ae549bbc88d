import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import test from "node:test";
import { missingOf } from "../../../../src/engine/rules/needs.ts";
import { readReceipt } from "../../../../src/engine/verdict/receipt/receipt.ts";
import { costlyRun, defineAgent, served } from "../../service/support/rules-service.ts";
import { acted, added, decided, sentence, measurementParams } from "../../service/support/rules-acts.ts";

test("A rule is written by hand, approved, measured, admitted, in the memory, rejected, and removed", async (t) => {
  const { client, root } = await served(t);
  const id = await added(client, sentence);
  const file = path.join(root, "agent-memory", "scout", "MEMORY.md");
  assert.equal((await decided(client, { id, act: { kind: "approve" }, root })).status, "approved");
  assert.equal(existsSync(file), false);
  const measured = await acted(client.ask("rulesMeasured", measurementParams(id, "saves", root)));
  assert.deepEqual([measured.status, measured.saving], ["measured", 900]);
  assert.equal(existsSync(file), false, "it waits for the user");
  await decided(client, { id, act: { kind: "approve" }, root });
  assert.match(
    readFileSync(file, "utf8"),
    /^<!-- purser v1 .*\n- Read a file once and work from what you saw\.\n$/u,
  );
  const back = await decided(client, { id, act: { kind: "undo" }, root });
  assert.equal(back.status, "measured");
  assert.equal(existsSync(file), false);
  await decided(client, { id, act: { kind: "approve" }, root });
  const rejected = await decided(client, { id, act: { kind: "reject", why: "not here" }, root });
  assert.deepEqual([rejected.status, existsSync(file)], ["evicted", false]);
  assert.deepEqual(
    rejected.steps.map(({ to, who }) => `${who} ${to}`),
    [
      "user candidate",
      "user approved",
      "purser measured",
      "user active",
      "user measured",
      "user active",
      "user evicted",
    ],
  );
  const again = await client.ask("rulesPropose", {
    agent: "scout",
    origin: "hand",
    rules: [{ text: sentence, source: null }],
  });
  assert.ok(again.ok);
  assert.match(again.value.proposed[0]?.refused?.text ?? "", /evicted: rejected: not here/u);
});

test("A receipt is stored once, byte for byte, and only if it is sealed and of this rule", async (t) => {
  const { client, root } = await served(t);
  const id = await added(client, sentence);
  await client.ask("rulesAct", { id, act: { kind: "approve" }, root });
  const good = measurementParams(id, "regression", root);
  const changed = { ...good, receipt: good.receipt.replace('"regression"', '"saves"') };
  const refused = await client.ask("rulesMeasured", changed);
  assert.equal(refused.ok, false);
  const other = await client.ask("rulesMeasured", { ...measurementParams("r1", "saves", root), ruleId: id });
  assert.equal(other.ok, false);
  assert.equal((await acted(client.ask("rulesMeasured", good))).status, "evicted");
  assert.equal((await client.ask("rulesMeasured", good)).ok, false);
  const kept = await client.ask("rulesReceipt", { id: `x-${id}` });
  assert.equal(kept.ok && kept.value.json, good.receipt);
  assert.ok(readReceipt(good.receipt).ok);
  const evidence = await client.ask("rulesEvidence", { agent: "scout" });
  assert.equal(evidence.ok && evidence.value.evidence[0]?.samples.length, 1);
});

test("A replay's receipt is stored for display without effect; one disguised as evidence is refused", async (t) => {
  const { client, root } = await served(t, { rulesAutoActivate: true });
  const id = await added(client, sentence);
  await client.ask("rulesAct", { id, act: { kind: "approve" }, root });
  for (const kind of ["regression", "saves", "regression"] as const) {
    const demo = await acted(
      client.ask("rulesMeasured", { ...measurementParams(id, kind, root, "replay"), isActivated: true }),
    );
    assert.deepEqual([demo.status, demo.strikes, demo.saving, demo.auditedAt], ["approved", 0, null, null]);
    assert.deepEqual(
      demo.receipts.map(({ isDemo }) => isDemo),
      [true],
    );
  }
  const shown = await client.ask("rulesEvidenceOf", { id });
  assert.equal(shown.ok && shown.value.evidence?.driver, "replay");
  const pooled = await client.ask("rulesEvidence", { agent: "scout" });
  assert.deepEqual(pooled.ok && pooled.value.evidence, []);
  const dressed = measurementParams(id, "saves", root, "replay");
  const refused = await client.ask("rulesMeasured", {
    ...dressed,
    evidence: { ...dressed.evidence, driver: "claude" },
  });
  assert.equal(refused.ok, false);
  assert.equal(existsSync(path.join(root, "agent-memory", "scout", "MEMORY.md")), false);
  const real = await acted(
    client.ask("rulesMeasured", measurementParams(id, "saves", root, "claude", "x-real")),
  );
  assert.equal(real.status, "active", "what an agent's runs say counts, as ever");
  const after = await client.ask("rulesEvidenceOf", { id });
  assert.equal(after.ok && after.value.evidence?.driver, "claude", "and goes before what is replayed");
});

test("An edited rule is a new one; the first stays as evicted", async (t) => {
  const { client, root } = await served(t);
  const id = await added(client, sentence);
  const text = "(when exploring) Read a file once and note what matters in it.";
  const edited = await decided(client, { id, act: { kind: "edit", text }, root });
  assert.deepEqual([edited.status, edited.scope, edited.replaces], ["candidate", "exploring", id]);
  const view = await client.ask("rulesRead", { root });
  const first = view.ok ? view.value.view.rules.find((rule) => rule.id === id) : undefined;
  assert.equal(first?.status, "evicted");
  const bad = await client.ask("rulesAct", {
    id: edited.id,
    act: { kind: "edit", text: "Skip the tests to save tokens." },
    root,
  });
  assert.equal(bad.ok, false);
});

test("A memory of the user's own is unchanged, and stored as a version before it is replaced", async (t) => {
  const { client, root } = await served(t);
  const id = await added(client, sentence);
  const file = path.join(root, "agent-memory", "scout", "MEMORY.md");
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, "- Mine.\n");
  await client.ask("rulesAct", { id, act: { kind: "approve" }, root });
  const active = await client.ask("rulesMeasured", {
    ...measurementParams(id, "saves", root),
    isActivated: true,
  });
  assert.ok(active.ok);
  assert.match(active.value.memory?.text ?? "", /was not made by purser/u);
  assert.equal(readFileSync(file, "utf8"), "- Mine.\n");
  const compiled = await client.ask("memoryCompile", { agent: "scout", root, replaces: "- Mine.\n" });
  assert.ok(compiled.ok);
  assert.deepEqual([compiled.value.memory.state, compiled.value.memory.isCurrent], ["ours", true]);
  const found = compiled.value.memory.versions.find(({ madeBy }) => madeBy === "the user");
  const undone = await client.ask("memoryUndo", {
    agent: "scout",
    root,
    version: found?.version ?? "",
    replaces: null,
  });
  assert.ok(undone.ok, undone.ok ? "" : undone.detail.text);
  assert.equal(readFileSync(file, "utf8"), "- Mine.\n");
});

test("A costly run's transcript is analyzed once, and its findings become candidates", async (t) => {
  const service = await served(t);
  const { client } = service;
  await costlyRun(service);
  const preview = await client.ask("rulesDistil", { sessionId: null, isPreview: true });
  assert.ok(preview.ok, preview.ok ? "" : preview.detail.text);
  assert.match(preview.value.preview ?? "", /90,000 processing tokens[^]*at most 1,000/u);
  assert.deepEqual(preview.value.proposed, []);
  const first = await client.ask("rulesDistil", { sessionId: null, isPreview: false });
  assert.deepEqual(first.ok && first.value.proposed.map(({ refused }) => refused), [null]);
  assert.deepEqual(first.ok && first.value.findings[0]?.turns.map(({ line }) => line), [1, 3]);
  const second = await client.ask("rulesDistil", { sessionId: null, isPreview: false });
  assert.ok(second.ok);
  assert.match(second.value.proposed[0]?.refused?.text ?? "", /says the same/u);
  const view = await client.ask("rulesRead", { root: "/nowhere" });
  assert.equal(view.ok && view.value.view.rules[0]?.source?.kind, "run");
  const report = await client.ask("rulesReport", { project: null });
  assert.deepEqual(report.ok && report.value.report.agents[0]?.rules.candidate, 1);
});

test("Findings for a rule that cannot be measured or reach an agent are stored, with what is missing", async (t) => {
  const service = await served(t);
  const { client, golden, box, root } = service;
  await costlyRun(service);
  defineAgent(service, "scout", null);
  rmSync(golden, { recursive: true });
  const preview = await client.ask("rulesDistil", { sessionId: null, isPreview: true });
  assert.deepEqual(preview.ok && preview.value.missing.map(({ kind }) => kind), ["no-memory", "no-tasks"]);
  const before = await client.ask("rulesReport", { project: null });
  assert.deepEqual(before.ok && before.value.report.findings, [], "a preview keeps nothing");
  for (const time of [1, 2]) {
    const looked = await client.ask("rulesDistil", { sessionId: null, isPreview: false });
    assert.ok(looked.ok, looked.ok ? "" : looked.detail.text);
    assert.deepEqual(looked.value.proposed, []);
    assert.equal(looked.value.findings.length, 1, String(time));
  }
  const view = await client.ask("rulesRead", { root });
  assert.deepEqual(view.ok && view.value.view.rules, []);
  const read = await client.ask("rulesReport", { project: null });
  assert.ok(read.ok);
  const { findings, receipts } = read.value.report;
  const file = path.join(box.root, "agents", "scout.md");
  assert.deepEqual(
    findings.map(({ agent, program, sessionId, tokens, usual, what, missing }) => [
      agent,
      program,
      sessionId,
      tokens,
      usual,
      what.length,
      missing,
    ]),
    [
      [
        "scout",
        "claude-code",
        "s-6",
        90_000,
        1000,
        1,
        missingOf([{ kind: "no-memory", file }, { kind: "no-tasks" }]),
      ],
    ],
  );
  assert.equal(receipts, 0, "it is none of a rule");
  // Once nothing is missing, it may be proposed.
  defineAgent(service, "scout");
  const then = await client.ask("rulesReport", { project: null });
  assert.deepEqual(then.ok && then.value.report.findings[0]?.missing, []);
  const made = await client.ask("rulesDistil", { sessionId: "s-6", isPreview: false });
  assert.deepEqual(made.ok && made.value.proposed.map(({ refused }) => refused), [null]);
});

test("Nothing is approved or admitted without the user, unless a setting allows it", async (t) => {
  const service = await served(t);
  const { client, root } = service;
  await costlyRun(service);
  await client.ask("rulesDistil", { sessionId: null, isPreview: false });
  await client.ask("rulesPropose", {
    agent: "scout",
    origin: "model",
    rules: [{ text: sentence, source: null }],
  });
  const view = await client.ask("rulesRead", { root });
  assert.deepEqual(view.ok && view.value.view.rules.map(({ status }) => status), ["candidate", "candidate"]);
});

test("With autoApprove, findings of purser or a model are to be measured; a person's text waits", async (t) => {
  const service = await served(t, { rulesAutoApprove: true });
  const { client, root } = service;
  await costlyRun(service);
  await client.ask("rulesDistil", { sessionId: null, isPreview: false });
  await client.ask("rulesPropose", {
    agent: "scout",
    origin: "model",
    rules: [{ text: sentence, source: null }],
  });
  const mine = await added(client, "Note the names of files before you open them.");
  const view = await client.ask("rulesRead", { root });
  assert.ok(view.ok);
  const reported = view.value.view.rules.map(({ origin, status, steps, canUndo }) => [
    origin,
    status,
    steps.map(({ who }) => who).join(),
    canUndo,
  ]);
  assert.deepEqual(reported.toSorted(), [
    ["hand", "candidate", "user", false],
    ["model", "approved", "user,setting", true],
    ["trajectory", "approved", "purser,setting", true],
  ]);
  await decided(client, { id: mine, act: { kind: "approve" }, root });
  const own = view.value.view.rules.find(({ origin }) => origin === "model");
  const back = await decided(client, { id: own?.id ?? "", act: { kind: "undo" }, root });
  assert.equal(back.status, "candidate");
});

test("With autoActivate, a proven saving is in the memory at once; a file of the user's own is unchanged", async (t) => {
  const { client, root } = await served(t, { rulesAutoActivate: true });
  const id = await added(client, sentence);
  const file = path.join(root, "agent-memory", "scout", "MEMORY.md");
  await decided(client, { id, act: { kind: "approve" }, root });
  const active = await acted(client.ask("rulesMeasured", measurementParams(id, "saves", root)));
  assert.deepEqual(
    active.steps.slice(-2).map(({ who, to }) => `${who} ${to}`),
    ["purser measured", "setting active"],
  );
  assert.match(readFileSync(file, "utf8"), /Read a file once/u);
  writeFileSync(file, `${readFileSync(file, "utf8")}- Mine.\n`);
  const edited = readFileSync(file, "utf8");
  const other = await added(client, "List a folder before you open files in it.");
  await decided(client, { id: other, act: { kind: "approve" }, root });
  const second = await client.ask("rulesMeasured", measurementParams(other, "saves", root));
  assert.ok(second.ok);
  assert.equal(second.value.rule.status, "active");
  assert.match(second.value.memory?.text ?? "", /edited/u);
  assert.equal(readFileSync(file, "utf8"), edited);
  const worse = await added(client, "Say what you will do before you do it.");
  await decided(client, { id: worse, act: { kind: "approve" }, root });
  assert.equal(
    (await acted(client.ask("rulesMeasured", measurementParams(worse, "regression", root)))).status,
    "evicted",
  );
});

test("Clients are notified when rules change", async (t) => {
  const { client } = await served(t);
  const heard = new Promise<number>((resolve) =>
    client.on("rulesChanged", ({ waiting }) => resolve(waiting)),
  );
  await added(client, sentence);
  assert.equal(await heard, 1);
});
