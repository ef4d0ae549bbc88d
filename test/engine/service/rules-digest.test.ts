import { plainSentence } from "../../../src/engine/base/language.ts";
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import test from "node:test";
import { digestIdOf, readDigest } from "../../../src/engine/rules/distil/import-lines.ts";
import { TranscriptLines } from "../rules/support/transcript.ts";
import { costlyRun, served } from "./support/rules-service.ts";

const sentence = "Read a file once and work from what you saw.";

test("A digest of a rule's run is stored without secrets, and outlives the transcript; previews store nothing", async (t) => {
  const service = await served(t);
  const { client, root, transcripts, ledger } = service;
  const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
  const lines = new TranscriptLines();
  for (let time = 0; time < 3; time += 1)
    lines.called(
      "Bash",
      { command: `curl -H 'Authorization: Bearer ${secret}' /p/${"x".repeat(150)}` },
      "no",
      true,
    );
  await costlyRun(service, lines);
  const digests = () => ledger.ask("ruleBook", null).receipts.filter(({ subject }) => subject === "digest");
  await client.ask("rulesDistil", { sessionId: null, isPreview: true });
  assert.deepEqual(digests(), []);
  const made = await client.ask("rulesDistil", { sessionId: null, isPreview: false });
  const id = made.ok ? (made.value.proposed.find((one) => one.id !== null)?.id ?? "") : "";
  rmSync(transcripts, { recursive: true });
  const edited = await client.ask("rulesAct", { id, act: { kind: "edit", text: sentence }, root });
  assert.ok(edited.ok);
  const source = edited.value.view.rules.find((rule) => rule.id === edited.value.id)?.source ?? null;
  const kept = await client.ask("rulesReceipt", { id: digestIdOf(source) ?? "" });
  const digest = kept.ok ? readDigest(kept.value.json) : null;
  assert.match(digest ?? "", /^1 Bash curl .*\[secret\].*-> 2 characters, an error\n3 Bash/u);
  const all = JSON.stringify([ledger.ask("ruleBook", null), digest]);
  assert.equal(all.includes("ghp_"), false, "not even the beginning of one that was cut");
});

test("A rule's source from a client is stored without secrets", async (t) => {
  const { client, ledger } = await served(t);
  const what = `cat .env: PASSWORD=hunter2 AKIAABCDEFGHIJKLMNOP`;
  const source = {
    kind: "run" as const,
    sessionId: "s",
    transcript: "/t/s.jsonl",
    finding: plainSentence(what),
    turns: [{ line: 3, what }],
  };
  const made = await client.ask("rulesPropose", {
    agent: "scout",
    origin: "model",
    rules: [{ text: sentence, source }],
  });
  assert.ok(made.ok);
  const kept = ledger.ask("ruleBook", null).rules[0]?.source ?? "";
  assert.doesNotMatch(kept, /hunter2|AKIA/u);
  assert.match(kept, /"transcript":"\/t\/s\.jsonl".*PASSWORD=\[secret\]/u);
});
