import assert from "node:assert/strict";
import { it } from "node:test";
import { hookProfileJson } from "../../../../src/engine/cli/hooks/hooks-schema.ts";
import { hook, placeOf, post } from "../../service/support/hooks.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { makeLedgerSetup } from "../support/ledger-place.ts";

const own = "http://127.0.0.1:41000/hook/claude-code";

/** A finished hook as a transcript row. */
function row(number: number, durationMs: number, command: string, days = 0): string {
  const attachment = {
    type: "hook_success",
    hookEvent: "UserPromptSubmit",
    stdout: "a note of forty characters, more or less",
    command,
    durationMs,
  };
  const timestamp = new Date(Date.now() - days * 86_400_000).toISOString();
  return `${JSON.stringify({ type: "attachment", uuid: `u-${number}`, timestamp, attachment })}\n`;
}

it("purser hooks profile shows hook times: its own from its ledger, all from transcripts", async (t) => {
  const { box, purser } = makeLedgerSetup(t);
  const rows = [1, 2, 3, 4].map((number) => row(number, 10 * number, "node theirs.js"));
  box.transcript("s-1.jsonl", [...rows, row(5, 9, own), row(6, 900, "node old.js", 30)].join(""));
  // A fork contains its parent's rows.
  box.transcript("s-2.jsonl", rows.join(""));
  const client = await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
  await waitUntil(() => box.log().includes("Hooks are answered at"));
  // Hooks that a service which ends cannot give to its ledger any more are left to the next service.
  assert.ok((await client.ask("catchUp", {})).ok);
  for (let count = 0; count < 3; count += 1) await post(placeOf(box.home), hook("PostToolBatch"));
  await client.shutdown("asked", 10_000);
  const { code, stdout } = await purser(["hooks", "profile", "--since", "2d", "--json"]);
  assert.equal(code, 0);
  const profile = hookProfileJson.parse(JSON.parse(stdout));
  const [ours] = profile.own;
  assert.deepEqual([ours?.event, ours?.count, ours?.injectedTokens], ["PostToolBatch", 3, 0]);
  assert.ok((ours?.p95 ?? -1) >= (ours?.p50 ?? 0) && (ours?.p50 ?? -1) >= 0);
  assert.deepEqual(profile.others, [
    {
      command: "node theirs.js",
      isOwn: false,
      event: "UserPromptSubmit",
      count: 4,
      p50: 25,
      p95: 38.5,
      injectedTokens: 40,
    },
    { command: own, isOwn: true, event: "UserPromptSubmit", count: 1, p50: 9, p95: 9, injectedTokens: 10 },
  ]);
  assert.equal(ours?.start, null, "no service answers");
  await box.client("1.0.0", { PURSER_TEST_LEDGER: "1" });
  await purser(["hooks", "install", "--yes"]);
  const started = hookProfileJson.parse(JSON.parse((await purser(["hooks", "profile", "--json"])).stdout));
  const { start = null, count } = started.own.find(({ event }) => event === "PostToolBatch") ?? {};
  assert.ok(start !== null && start > 1, "starting a process takes more than a millisecond");
  assert.equal(count, 3, "test calls are not recorded");
  const text = await purser(["hooks", "profile"]);
  assert.match(text.stdout, /^Purser's +Hooks +Start ms +p50 ms/mu);
  assert.match(text.stdout, /^UserPromptSubmit +node theirs\.js +4 +25 +39 +~40$/mu);
  const wrong = await purser(["hooks", "profile", "--since", "soon"]);
  assert.equal(wrong.code, 2);
});
