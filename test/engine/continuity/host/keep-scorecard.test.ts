import assert from "node:assert/strict";
import test from "node:test";
import { succeed } from "../../../../src/engine/base/result.ts";
import { shownScorecard } from "../../../../src/engine/continuity/scorecard/kept.ts";
import type { LedgerEntry } from "../../../../src/engine/ledger/entries/entries-entry.ts";
import { keepScorecards, type KeepingPorts } from "../../../../src/engine/continuity/host/keep-scorecard.ts";
import { defaults as defaultSettings } from "../../../../src/engine/settings/shape.ts";
import { packetOf } from "../packet-fixture.ts";
import { appendEntries, open, response } from "../../ledger/support/support.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { scratchFolder } from "../../support/scratch.ts";

const prompt: LedgerEntry = {
  kind: "run",
  id: "s 1",
  sessionId: "s",
  agent: "main",
  input: 0,
  output: 0,
  cacheCreation: 0,
  cacheRead: 0,
  completed: true,
};

test("A scorecard is stored at the session's end, once the ledger is complete, and shown unchanged", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  const waiting: (() => void)[] = [];
  const settings = { ...defaultSettings };
  const failed: string[] = [];
  const ports: KeepingPorts = {
    ledger: {
      ask: (name, params) => Promise.resolve(succeed(ledger.ask(name, params))),
      append: (entries) => ledger.append(entries),
      catchUp: async () => {
        // The end of the transcript is read only now.
        await appendEntries(ledger, response(1, { sessionId: "s" }), prompt);
        return succeed({ freshness: { asOf: 1, files: 1, done: 1, problems: [] } });
      },
    },
    settings: { of: () => settings },
    packetOf: () => Promise.resolve(packetOf()),
    now: () => 9,
    afterEnd: (run) => void waiting.push(run),
    onProblem: (message) => void failed.push(message),
  };
  const handler = keepScorecards(ports);
  const kept = () => ledger.ask("storedScorecard", "s");
  const end = (more: object = {}) => {
    assert.equal(handler.answer({ hook_event_name: "SessionEnd", session_id: "s", ...more }), null);
    for (const run of waiting.splice(0)) run();
  };
  const shown = () => {
    const figures = ledger.ask("sessionFigures", "s");
    assert.ok(figures !== null);
    return shownScorecard(figures, { packet: null, kept: kept() });
  };
  end({ agent_id: "sub" });
  assert.equal(ledger.ask("sessionFigures", "s"), null, "a subagent's end is no session's");
  end();
  await waitUntil(() => kept() !== null);
  const { prompts, done, open: left } = shown();
  assert.deepEqual(
    [prompts, done, left.length],
    [1, packetOf().done.map(({ text }) => text), packetOf().open.length],
  );
  settings.continuityPackets = false;
  const before = kept();
  end();
  await waitUntil(() => kept() !== before);
  assert.deepEqual(shown().done, [], "the text of packets is not kept where packets are off");
  assert.deepEqual(failed, []);
  const broken = keepScorecards({ ...ports, packetOf: () => Promise.reject(new Error("no disk")) });
  settings.continuityPackets = true;
  void broken.answer({ hook_event_name: "SessionEnd", session_id: "s" });
  for (const run of waiting.splice(0)) run();
  await waitUntil(() => failed.length > 0);
  assert.match(failed.join(), /no disk/u);
});
