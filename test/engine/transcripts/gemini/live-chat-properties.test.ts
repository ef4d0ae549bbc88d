import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { addUsage, noUsage } from "../../../../src/engine/usage/token-counts.ts";
import { accountOf, call, header, list, prompt, reply, result, snapshot, type Row } from "./chat-rows.ts";

const small = fc.nat(500);
const step = fc.record({
  kind: fc.constantFrom("prompt", "answer", "call", "compression", "resume", "fail"),
  cached: small,
  fresh: fc.integer({ min: 1, max: 500 }),
  output: small,
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A session as the agent writes it, and the facts expected at its end. */
function sessionOf(steps: readonly Step[]) {
  const rows: Row[] = [header()];
  let messages: Row[] = [];
  let usage = noUsage;
  const known = { turns: 0, prompts: 0, compactions: 0, calls: 0 };
  let occupancy: number | null = null;
  const write = (row: Row) => {
    rows.push(row);
    messages = [...messages.filter(({ id }) => id !== row["id"]), row];
  };
  steps.forEach(({ kind, cached, fresh, output }, index) => {
    const id = `m${index}`;
    const counts = { input: cached + fresh, cached, output };
    if (kind === "prompt" || kind === "fail") {
      known.prompts += 1;
      const before = messages;
      write(prompt(id, "Count."));
      if (kind === "prompt") return;
      messages = before;
      rows.push(list(messages));
    } else if (kind === "compression") {
      known.compactions += 1;
      occupancy = null;
      messages = [snapshot(id), { id: `${id}k`, type: "gemini", content: "Got it." }];
      rows.push({ $set: { sessionId: "s" } }, list(messages));
    } else if (kind === "resume") {
      rows.push(header(), list([]), list(messages.flatMap(listed)));
    } else {
      known.turns += 1;
      occupancy = counts.input;
      usage = addUsage(usage, { ...noUsage, input: fresh, cacheRead: cached, output });
      write(reply(id, counts));
      if (kind === "answer") return;
      known.calls += 1;
      write(reply(id, counts, { toolCalls: [call(`c${index}`)] }));
      write(result(`${id}r`, `c${index}`));
    }
  });
  return { rows, usage, occupancy, known };
}

/** A resume lists messages without tokens and calls, and the calls' results under the same ids. */
function listed({ id, timestamp, type, content, toolCalls }: Row): Row[] {
  const plain = { id, timestamp, type, content };
  if (toolCalls === undefined) return [plain];
  return [plain, { ...plain, type: "user", content: [{ functionResponse: { id: "c", response: {} } }] }];
}

/** Lines that belong to no session, or that contradict it. */
const odd = fc.oneof(
  fc.json({ depthSize: "small" }),
  fc.string(),
  fc.constantFrom("{", '{"$set":5}', '{"$set":{"messages":[5,{}]}}', '{"type":"gemini"}', '{"id":7}', ""),
  fc
    .record({
      id: fc.constantFrom("odd1", "odd2"),
      type: fc.constantFrom<unknown>("info", "warning", "novelty", 5, null),
      content: fc.jsonValue(),
      toolCalls: fc.jsonValue(),
      timestamp: fc.jsonValue(),
    })
    .map((row) => JSON.stringify(row)),
);

describe("any Gemini session", () => {
  it("is counted exactly, despite resumes, compressions and messages taken back", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const { rows, usage, occupancy, known } = sessionOf(steps);
        const { main, own, toolCalls, skipped } = accountOf(rows);
        assert.deepEqual(own.usage(), usage);
        assert.equal(main.occupancy(), occupancy);
        const { turns, prompts, compactions } = main;
        assert.deepEqual({ turns, prompts, compactions: compactions.length, calls: toolCalls.size }, known);
        assert.equal(skipped.size, 0);
      }),
    );
  });

  it("is read with anything between its lines, and each of those is known or counted", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), fc.array(odd, { maxLength: 20 }), (steps, strange) => {
        const { rows, usage } = sessionOf(steps);
        const { own, skipped } = accountOf([...strange, ...rows, ...strange]);
        assert.deepEqual(own.usage(), usage);
        const counted = [...skipped.values()].reduce((sum, count) => sum + count, 0);
        assert.ok(counted <= 2 * strange.length);
      }),
    );
  });

  it("is read with the same result when its lines are cut or come in any order", () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 12 }).chain((steps) => {
          const lines = sessionOf(steps).rows.map((row) => JSON.stringify(row));
          return fc.tuple(
            fc.constant(steps),
            fc.shuffledSubarray(lines, { minLength: lines.length }),
            fc.array(fc.nat(200), { maxLength: 5 }),
          );
        }),
        ([steps, lines, cuts]) => {
          const torn = lines.map((line, index) => line.slice(0, cuts[index] ?? line.length));
          assert.equal(accountOf(torn).id, accountOf([]).id);
          assert.deepEqual(accountOf(lines).own.usage(), sessionOf(steps).usage);
        },
      ),
    );
  });
});
