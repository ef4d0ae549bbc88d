import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pastHook, Replay } from "../../../../src/engine/guard/host/replay.ts";
import type { HookEvent } from "../../../../src/engine/hooks/event/event.ts";
import type { PastEvent } from "../../../../src/engine/transcripts/past.ts";
import { builtInCatalogue } from "../../../../src/engine/usage/catalogue/catalogue.ts";

const place = { sessionId: "s", agentId: null, at: 1000, folder: "/home/ann/shop", branch: null } as const;
const model = "claude-sonnet-4-5";

function call(id: string, command = "make"): PastEvent {
  return { ...place, kind: "call", id, tool: "Bash", input: { command } };
}

function result(id: string, text = "x".repeat(400), isError: boolean | null = false): PastEvent {
  return { ...place, kind: "result", id, text, isError };
}

const response: PastEvent = { ...place, kind: "response", model };
const compaction: PastEvent = { ...place, kind: "compaction" };

/** Every output is made one word. */
async function played(events: readonly PastEvent[]) {
  const asked: HookEvent[] = [];
  const replay = new Replay({
    ask: (event) => Promise.resolve(asked.push(event)),
    takeHits: () => [],
    compress: (text) => (text.length < 100 ? null : { text: "done", compressor: "general" }),
    catalogue: builtInCatalogue,
    charactersPerToken: [],
  });
  for (const event of events) await replay.play("claude-code", event);
  return { ...replay.result(), asked };
}

test("a saved token is written once and read by each response until the next compaction", async () => {
  const events = [response, call("a"), result("a"), response, response, response, compaction, response];
  const { total } = (await played(events)).outputs;
  assert.equal(total.outputs, 1);
  assert.ok(total.written > 0);
  assert.equal(total.read, 2 * total.written);
  assert.ok(total.usd !== null && total.usd > 0);
});

test("an output without a later response, or of a failed call, saves nothing", async () => {
  assert.equal((await played([response, call("a"), result("a")])).outputs.total.outputs, 0);
  const failed = await played([response, call("a"), result("a", "x".repeat(400), true), response]);
  assert.equal(failed.outputs.total.outputs, 0);
});

test("a model without a known price is counted, not priced", async () => {
  const unknown: PastEvent = { ...place, kind: "response", model: "nobody-knows-1" };
  const { total } = (await played([response, call("a"), result("a"), unknown])).outputs;
  assert.deepEqual([total.outputs, total.usd, total.unpriced], [1, null, 1]);
});

test("the number of reads is the same as counting them one by one", async () => {
  const step = fc.constantFrom("response", "output", "compaction");
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const events = steps.flatMap((each, index): PastEvent[] => {
        if (each === "response") return [response];
        return each === "compaction" ? [compaction] : [call(`c${index}`), result(`c${index}`)];
      });
      let [unread, carried, reads] = [0, 0, 0];
      for (const each of steps) {
        if (each === "output") unread += 1;
        else if (each === "compaction") [unread, carried] = [0, 0];
        else {
          reads += carried;
          carried += unread;
          unread = 0;
        }
      }
      const { total } = (await played(events)).outputs;
      const one = total.outputs === 0 ? 1 : total.written / total.outputs;
      assert.equal(Math.round(total.read / one), reads);
    }),
  );
});

test("a call in two files is judged once", async () => {
  const { calls, asked } = await played([response, call("a"), result("a"), response, call("a"), result("a")]);
  assert.equal(calls, 1);
  assert.deepEqual(
    asked.map(({ hook_event_name: name }) => name),
    ["PreToolUse", "PostToolUse"],
  );
});

test("a failed call is played as agents report it, and a result without its call is not", () => {
  const started = call("a");
  assert.ok(started.kind === "call");
  const failed = pastHook(result("a", "no", true), started);
  assert.deepEqual([failed?.hook_event_name, failed?.cwd], ["PostToolUseFailure", "/home/ann/shop"]);
  assert.equal(pastHook(result("b"), null), null);
  assert.equal(pastHook(response, null), null);
});
