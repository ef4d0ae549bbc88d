import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { Emitter } from "../../../src/engine/base/events.ts";
import { succeed } from "../../../src/engine/base/result.ts";
import type { SessionSnapshot } from "../../../src/engine/sessions/snapshot.ts";
import type { ContextFill } from "../../../src/engine/ledger/ledger-answers.ts";
import { ContextFills } from "../../../src/extension/sessions/context-fill.ts";
import { FakeConnection } from "../support/fake-connection.ts";
import { now, session } from "../support/session.ts";

const freshness = { asOf: now, files: 0, done: 0, problems: [] };

function shownWindow(answers: Record<string, ContextFill | null>) {
  const service = new FakeConnection({
    contextFill: ({ asked }) => succeed({ answer: answers[asked] ?? null, freshness }),
  });
  const changes = new Emitter<void>();
  const sessions: { shown: SessionSnapshot | undefined; onChange: typeof changes.on } = {
    shown: undefined,
    onChange: changes.on,
  };
  const fills = new ContextFills({ service, sessions }, 0);
  const show = async (shown: SessionSnapshot | undefined) => {
    sessions.shown = shown;
    changes.fire();
    // The request, its answer, and the timer between requests.
    for (let step = 0; step < 5; step += 1) await turn();
  };
  return { service, fills, show };
}

const fill: ContextFill = { at: now, parts: [{ name: "system", chars: 5 }] };

test("asks the ledger after each turn of the session on the status bar, but not on clock ticks", async (t) => {
  const { service, fills, show } = shownWindow({ a: fill });
  t.after(() => fills.dispose());
  let fired = 0;
  fills.onChange(() => (fired += 1));
  const shown = session({ id: "a" });
  await show(shown);
  await show(shown);
  assert.deepEqual(service.asked, [{ name: "contextFill", params: { asked: "a" } }]);
  assert.deepEqual(fills.of(shown), fill);
  assert.equal(fills.of(session({ id: "b" })), null, "another's is not known");
  assert.equal(fired, 1);
  await show(undefined);
  assert.equal(service.asked.length, 1);
});

test("content from before a compaction no longer counts", async (t) => {
  const { fills, show } = shownWindow({ a: fill });
  t.after(() => fills.dispose());
  const compaction = { trigger: "auto", preTokens: 1, postTokens: 1, at: now + 1 } as const;
  const shown = session({ id: "a", lastCompaction: compaction });
  await show(shown);
  assert.equal(fills.of(shown), null);
  assert.deepEqual(fills.of({ ...shown, lastCompaction: { ...compaction, at: now - 1 } }), fill);
});
