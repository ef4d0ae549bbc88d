import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { emptyRow, type ResponseRow } from "../../../../src/engine/transcripts/scan/responses/row.ts";
import {
  ResponseTable,
  uniteTables,
  type ScannedResponse,
} from "../../../../src/engine/transcripts/scan/response-table.ts";
import { codeOfTerms, standardTerms } from "../../../../src/engine/usage/price-terms.ts";
import { ResponseSet, type ResponseCopy } from "../../../../src/engine/usage/api-response.ts";
import { copiesOf } from "../../usage/support/response-copies.ts";

interface Placed {
  readonly copy: ResponseCopy;
  /** The thread whose table it goes into. */
  readonly thread: number;
  readonly unit: number;
  readonly isCopy: boolean;
}

const tables = 3;
const placed: fc.Arbitrary<Placed[]> = fc
  .tuple(
    copiesOf(),
    fc.array(fc.record({ thread: fc.nat({ max: tables - 1 }), isCopy: fc.boolean() }), {
      minLength: 40,
      maxLength: 40,
    }),
  )
  .map(([copies, places]) =>
    copies.map((copy, unit) => ({
      copy,
      unit,
      thread: places[unit]?.thread ?? 0,
      isCopy: places[unit]?.isCopy ?? false,
    })),
  );

function add(table: ResponseTable, { copy, unit, isCopy }: Placed): void {
  const row = emptyRow();
  const request = Buffer.from(copy.requestId ?? "");
  table.add(
    Object.assign(row, {
      message: table.messages.internText(copy.messageId),
      requestBytes: request,
      requestEnd: copy.requestId === null ? -1 : request.length,
      model: table.texts.internText("m"),
      session: table.texts.internText(`session of ${unit}`),
      unit,
      isCopy,
      isSidechain: copy.isSidechain,
      at: copy.at ?? Number.NaN,
      ...copy.usage,
    }),
  );
}

function uniteAll(all: readonly Placed[], threads = tables): ScannedResponse[] {
  const parts = Array.from({ length: threads }, () => new ResponseTable());
  for (const one of all) add(parts[one.thread % threads] ?? assert.fail(), one);
  const [first = new ResponseTable(), ...others] = parts;
  const packed = others.map((other) => structuredClone(other.pack()));
  return uniteTables(first, packed).flatMap((table) => [...table.responses()]);
}

const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();

describe("response table", () => {
  it("stores the same as a response set, however the copies are spread over threads", () => {
    fc.assert(
      fc.property(placed, (all) => {
        const set = new ResponseSet<ResponseCopy>();
        for (const { copy } of all) set.add(copy);
        const expected = [...set.responses()].map(({ at, usage }) => ({
          at,
          usage: Object.entries(usage).toSorted(),
        }));
        const kept = uniteAll(all).map(({ at, usage }) => ({
          at,
          usage: Object.entries(usage).toSorted(),
        }));
        assert.deepEqual(sorted(kept), sorted(expected));
      }),
      { numRuns: 300 },
    );
  });

  it("assigns a response to the same session, whatever the number and order of threads", () => {
    fc.assert(
      fc.property(placed, (all) => {
        const alone = uniteAll(all, 1);
        assert.deepEqual(sorted(uniteAll(all)), sorted(alone));
        assert.deepEqual(sorted(uniteAll(all.toReversed(), 2)), sorted(alone));
      }),
      { numRuns: 300 },
    );
  });

  it("assigns a fork's copies to the parent", () => {
    const copy: ResponseCopy = {
      messageId: "msg_1",
      requestId: "req_1",
      usage: { input: 1, output: 2, cacheCreation5m: 3, cacheCreation1h: 4, cacheRead: 5 },
      isSidechain: false,
      at: 1000,
    };
    const all = [
      { copy, unit: 1, thread: 0, isCopy: true },
      { copy, unit: 2, thread: 1, isCopy: false },
    ];
    assert.deepEqual(
      uniteAll(all).map(({ sessionId }) => sessionId),
      ["session of 2"],
    );
  });

  it("keeps the details that few responses have, of the copy that counts", () => {
    const [first, second] = [new ResponseTable(), new ResponseTable()];
    const fill = (table: ResponseTable, number: number, fields: Partial<ResponseRow>) => {
      const names = {
        message: table.messages.internText(`msg_${number}`),
        model: table.texts.internText("m"),
        session: table.texts.internText("s"),
      };
      table.add(Object.assign(emptyRow(), { ...names, input: number, ...fields }));
    };
    const fast = codeOfTerms({ ...standardTerms, isFast: true, webSearches: 7 });
    for (let number = 0; number < 100; number += 1) {
      const table = number % 3 === 0 ? second : first;
      if (number % 2 === 0) fill(table, number, { output: 1 });
      else fill(table, number, { output: 1, terms: fast, lastContext: number, lastOutput: 2 });
    }
    // Better copies: without details, with them for the first time, and with others; one in the other table.
    fill(first, 1, { output: 2 });
    fill(first, 2, { output: 2, lastContext: -1 });
    fill(first, 5, { output: 2, terms: 1 });
    fill(first, 9, { output: 2, lastContext: 4, lastOutput: 3 });
    // A copy with details is better than an equal one without.
    fill(second, 4, { output: 1, lastContext: 8, lastOutput: 1 });
    const found = uniteTables(first, [structuredClone(second.pack())]).flatMap((table) => [
      ...table.responses(),
    ]);
    assert.equal(found.length, 100);
    const slow = (context: number, output: number) => ({ terms: undefined, lastCall: { context, output } });
    const others = new Map<number, object | null>([
      [1, null],
      [2, { terms: undefined, lastCall: null }],
      [5, { terms: { ...standardTerms, isFast: true }, lastCall: undefined }],
      [9, slow(4, 3)],
      [4, slow(8, 1)],
    ]);
    const terms = { ...standardTerms, isFast: true, webSearches: 7 };
    for (const response of found) {
      const number = response.usage.input;
      const usual = number % 2 === 0 ? null : { terms, lastCall: { context: number, output: 2 } };
      const expected = others.has(number) ? others.get(number) : usual;
      const details = "terms" in response ? { terms: response.terms, lastCall: response.lastCall } : null;
      assert.deepEqual(details, expected, String(number));
    }
  });

  it("holds many responses", () => {
    const copies = Array.from({ length: 5000 }, (_, index) => ({
      copy: {
        messageId: `msg_${index % 2500}`,
        requestId: `req_${index % 2500}`,
        usage: { input: index, output: 0, cacheCreation5m: 0, cacheCreation1h: 0, cacheRead: 0 },
        isSidechain: false,
        at: index,
      },
      thread: index % 2,
      unit: index,
      isCopy: false,
    }));
    const kept = uniteAll(copies);
    assert.equal(kept.length, 2500);
    assert.ok(kept.every(({ usage }) => usage.input >= 2500));
  });
});
