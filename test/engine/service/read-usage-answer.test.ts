import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { ledgerRequests } from "../../../src/engine/ledger/ledger-requests.ts";
import { readUsageAnswer } from "../../../src/engine/service/quick-ask.ts";

const number = fc.oneof(fc.nat(), fc.double({ noNaN: true, noDefaultInfinity: true }));
const maybe = fc.option(number);
const sum = {
  responses: number,
  usage: fc.record({
    input: number,
    output: number,
    cacheCreation5m: number,
    cacheCreation1h: number,
    cacheRead: number,
  }),
  usd: maybe,
  unpriced: number,
  standardTier: number,
};
const answer = fc.record({
  report: fc.record({
    rows: fc.array(fc.record({ key: fc.string(), model: fc.string(), ...sum, lastAt: maybe })),
    totals: fc.record(sum),
    undated: number,
  }),
  places: fc.array(fc.string()),
  zoneOffset: number,
  freshness: fc.record({
    asOf: maybe,
    files: number,
    done: number,
    problems: fc.array(fc.record({ path: fc.string(), reason: fc.string() })),
  }),
});

/** Replaces the value or the name of one member anywhere in the value. */
function spoilt(value: unknown, index: number, other: fc.JsonValue): unknown {
  const sent: unknown = JSON.parse(JSON.stringify(value));
  const members = membersOf(sent);
  const member = members[index % members.length];
  if (member === undefined) return sent;
  const { owner, name } = member;
  if (index % 5 === 0) {
    const { [name]: moved, ...rest } = owner;
    for (const gone of Object.keys(owner)) Reflect.deleteProperty(owner, gone);
    Object.assign(owner, rest, { odd: moved });
  } else {
    owner[name] = other;
  }
  return sent;
}

type Owner = Record<string, unknown>;

function membersOf(value: unknown): { readonly owner: Owner; readonly name: string }[] {
  if (Array.isArray(value)) return value.flatMap(membersOf);
  if (!isOwner(value)) return [];
  return Object.keys(value).flatMap((name) => [{ owner: value, name }, ...membersOf(value[name])]);
}

function isOwner(value: unknown): value is Owner {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

it("An answer about usage is read as its schema reads it", () => {
  fc.assert(
    fc.property(answer, (good) => {
      const sent: unknown = JSON.parse(JSON.stringify(good));
      assert.deepEqual(readUsageAnswer(sent), ledgerRequests.usage.answer.parse(sent));
    }),
    { numRuns: 200 },
  );
});

it("An answer that the schema rejects is also rejected by hand", () => {
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom<fc.JsonValue>(null, "", 0, -1, true, [], {}));
  fc.assert(
    fc.property(answer, fc.nat(), odd, (good, index, other) => {
      const sent = spoilt(good, index, other);
      assert.deepEqual(readUsageAnswer(sent), ledgerRequests.usage.answer.safeParse(sent).data);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.jsonValue(), (sent) => {
      assert.deepEqual(readUsageAnswer(sent), ledgerRequests.usage.answer.safeParse(sent).data);
    }),
  );
});
