import { isObject } from "../../../../src/engine/base/parse.ts";
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";

import { LineSplitter } from "../../../../src/engine/transcripts/line-splitter.ts";
import {
  listOf,
  objectOf,
  scalar,
  type Shape,
} from "../../../../src/engine/transcripts/vscode-chat/kept-value.ts";
import { MutationLog } from "../../../../src/engine/transcripts/vscode-chat/mutation-log.ts";
import { pruned, replay, type Entry, type Plain, type Step } from "./model-log.ts";

const plain = {
  title: "scalar",
  head: { model: { id: "scalar", size: "scalar" } },
  requests: [{ id: "scalar", tokens: "scalar", parts: [{ kind: "scalar" }], tags: ["scalar"] }],
} as const satisfies Plain;

function shapeOf(of: Plain): Shape {
  if (of === "scalar") return scalar;
  const isList = (each: Plain): each is readonly [Plain] => Array.isArray(each);
  if (isList(of)) return listOf(shapeOf(of[0]));
  return objectOf(Object.fromEntries(Object.entries(of).map(([key, inner]) => [key, shapeOf(inner)])));
}

const shape = shapeOf(plain);
const lineOf = (entry: Entry) => Buffer.from(JSON.stringify(entry));

/** Texts with everything that may confuse a byte reader. */
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom('"', "\\", "\n", "\u2028", "é", "𝄞", "\ud800", "x".repeat(1500)),
);
const number = fc.oneof(fc.nat(), fc.constantFrom(-1, 0, 1.5, 1e300, -0.25));
const leaf = fc.oneof(text, number, fc.boolean(), fc.constant(null));
const anything = fc.oneof(leaf, fc.array(leaf, { maxLength: 3 }), fc.dictionary(text, leaf, { maxKeys: 3 }));
const part = fc.record({ kind: leaf, text: anything }, { requiredKeys: [] });
const request = fc.record(
  { id: leaf, tokens: leaf, parts: fc.array(part, { maxLength: 4 }), tags: fc.array(leaf), body: anything },
  { requiredKeys: ["parts"] },
);
const head = fc.record({ model: fc.record({ id: leaf, size: leaf, other: anything }), unread: anything });
const state = fc.record({
  title: leaf,
  head,
  requests: fc.array(request, { maxLength: 4 }),
  unread: anything,
});

/** A change with relative places. It becomes an entry once the existing state is known. */
const step = fc.oneof(
  fc.record({ act: fc.constant("whole"), value: state }),
  fc.record({ act: fc.constant("title"), value: fc.option(anything, { nil: undefined }) }),
  fc.record({ act: fc.constant("model"), value: fc.option(head, { nil: undefined }) }),
  fc.record({ act: fc.constant("size"), value: anything }),
  fc.record({ act: fc.constant("requests"), value: fc.array(request, { maxLength: 2 }), cut: fc.nat(6) }),
  fc.record({
    act: fc.constant("parts"),
    value: fc.array(part, { maxLength: 3 }),
    cut: fc.nat(6),
    at: fc.nat(6),
  }),
  fc.record({ act: fc.constant("request"), value: request, at: fc.nat(6) }),
  fc.record({ act: fc.constant("tokens"), value: anything, at: fc.nat(6) }),
  fc.record({ act: fc.constant("body"), value: anything, at: fc.nat(6) }),
  fc.record({ act: fc.constant("delete"), at: fc.nat(6) }),
  fc.record({ act: fc.constant("nothing") }),
);
type Change = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function entryOf(change: Change, now: unknown): Entry {
  const requests = isObject(now) && Array.isArray(now["requests"]) ? now["requests"] : [];
  const parts = (at: number) => {
    const row: unknown = requests[at];
    const held: unknown = isObject(row) ? row["parts"] : [];
    return Array.isArray(held) ? held.length : 0;
  };
  const at = "at" in change ? change.at % Math.max(1, requests.length) : 0;
  const within = (length: number) => ("cut" in change && change.cut <= length ? { i: change.cut } : {});
  const value = "value" in change ? { v: change.value } : {};
  const set = (...k: Step[]): Entry => ({ kind: 1, k, ...value });
  if (change.act === "whole") return { kind: 0, ...value };
  if (change.act === "title") return set("title");
  if (change.act === "model") return { ...set("head"), ...(change.value === undefined ? { kind: 3 } : {}) };
  if (change.act === "requests") return { kind: 2, k: ["requests"], ...value, ...within(requests.length) };
  if (change.act === "nothing") return { kind: 1, k: [], v: 1 };
  const hasModel = isObject(now) && isObject(now["head"]);
  if (change.act === "size") return set(...(hasModel ? ["head", "model", "size"] : ["unread"]));
  if (requests.length === 0) return set("unread");
  if (change.act === "parts")
    return { kind: 2, k: ["requests", at, "parts"], ...value, ...within(parts(at)) };
  if (change.act === "request") return set("requests", at);
  if (change.act === "delete") return { kind: 3, k: ["requests", at, "tokens"] };
  return set("requests", at, change.act);
}

function entriesOf(first: unknown, changes: readonly Change[]): Entry[] {
  const entries: Entry[] = [{ kind: 0, v: first }];
  for (const change of changes) entries.push(entryOf(change, replay(entries).at(-1)));
  return entries;
}

const log = fc
  .tuple(state, fc.array(step, { maxLength: 12 }))
  .map(([first, changes]) => entriesOf(first, changes));

describe("the log of a chat's changes", () => {
  it("has, after any entries, the stored part of the whole state", () => {
    fc.assert(
      fc.property(log, (entries) => {
        const incremental = new MutationLog(shape);
        for (const [index, whole] of replay(asRead(entries)).entries()) {
          const entry = entries[index];
          if (entry !== undefined) incremental.apply(lineOf(entry));
          assert.deepEqual(incremental.state, pruned(whole, plain));
        }
      }),
    );
  });

  it("is the same when it was replaced by its state and continued", () => {
    fc.assert(
      fc.property(log, fc.nat(12), (entries, at) => {
        const states = replay(asRead(entries));
        const cut = Math.min(at, entries.length - 1);
        const replaced = new MutationLog(shape);
        replaced.apply(lineOf({ kind: 0, v: states[cut] }));
        for (const entry of entries.slice(cut + 1)) replaced.apply(lineOf(entry));
        assert.deepEqual(replaced.state, pruned(states.at(-1), plain));
      }),
    );
  });

  it("is the same in whatever pieces its file arrives, and a half-written entry waits", () => {
    fc.assert(
      fc.property(log, fc.array(fc.integer({ min: 1, max: 200 })), fc.nat(40), (entries, sizes, missing) => {
        const bytes = Buffer.concat(entries.flatMap((entry) => [lineOf(entry), Buffer.from("\n")]));
        const written = bytes.subarray(0, Math.max(0, bytes.length - missing));
        const complete = written.toString("latin1").split("\n").length - 1;
        const incremental = new MutationLog(shape);
        const splitter = new LineSplitter();
        for (let at = 0, index = 0; at < written.length; index += 1) {
          const end = at + (sizes[index % Math.max(1, sizes.length)] ?? 64);
          const chunk = Buffer.from(written.subarray(at, end));
          splitter.push(
            chunk,
            (line) => incremental.apply(line),
            () => assert.fail("too long"),
          );
          chunk.fill(0);
          at = end;
        }
        assert.deepEqual(incremental.state, pruned(replay(asRead(entries))[complete - 1], plain));
      }),
    );
  });

  it("never throws, and keeps its state, whatever a line holds", () => {
    const kinds = fc.oneof(fc.integer({ min: -1, max: 5 }), anything);
    const path = fc.oneof(
      anything,
      fc.array(fc.oneof(fc.constantFrom("requests", "title", "head", "__proto__", "parts"), fc.nat(3))),
    );
    const odd = fc
      .record({ kind: kinds, k: path, v: anything, i: fc.oneof(fc.nat(), anything) }, { requiredKeys: [] })
      .map((entry) => Buffer.from(JSON.stringify(entry)));
    const bytes = fc.uint8Array({ maxLength: 80 }).map((raw) => Buffer.from(raw));
    const torn = fc.tuple(odd, fc.nat(60)).map(([line, end]) => line.subarray(0, end));
    fc.assert(
      fc.property(fc.array(fc.oneof(odd, bytes, torn), { maxLength: 20 }), (lines) => {
        const incremental = new MutationLog(shape);
        incremental.apply(lineOf({ kind: 0, v: { title: "a", requests: [{ id: "r", parts: [] }] } }));
        for (const line of lines) {
          const before = JSON.stringify(incremental.state);
          const applied = incremental.apply(line);
          if (typeof applied === "string") assert.equal(JSON.stringify(incremental.state), before);
        }
        assert.equal(Reflect.get(Object.prototype, "id"), undefined);
      }),
    );
  });

  const small = (...entries: unknown[]) => {
    const incremental = new MutationLog(shape);
    const applied = entries.map((entry) =>
      incremental.apply(Buffer.from(typeof entry === "string" ? entry : JSON.stringify(entry))),
    );
    return { state: incremental.state, applied };
  };
  const opening = { kind: 0, v: { title: "a", requests: [{ id: "r1", parts: [] }] } };

  it("reads an entry's members in any order, and after a byte order mark", () => {
    assert.deepEqual(small('\uFEFF{"v":{"title":"a"},"kind":0}').state, { title: "a" });
    const cut = '{"i":0,"v":[{"id":"r2","parts":[]}],"k":["requests"],"kind":2}';
    assert.deepEqual(small(opening, cut).state, { title: "a", requests: [{ id: "r2", parts: [] }] });
  });

  it("applies nothing after an entry of an unknown kind, until the next whole state", () => {
    const { state, applied } = small(
      opening,
      { kind: 4, k: ["requests"], v: [1, 0] },
      { kind: 1, k: ["title"], v: "b" },
      { kind: 0, v: { title: "c" } },
      { kind: 1, k: ["title"], v: "d" },
    );
    assert.deepEqual(applied.slice(1), [{ unknownKind: 4 }, "lost", { changed: [] }, { changed: ["title"] }]);
    assert.deepEqual(state, { title: "d" });
  });

  it("counts entries that cannot be applied, and applies the others", () => {
    const { state, applied } = small(
      { kind: 1, k: ["title"], v: "before any state" },
      opening,
      { kind: 1, k: ["requests", 7, "id"], v: "of no request" },
      { kind: 1, k: ["requests", 4000000000], v: { id: "far" } },
      { kind: 2, k: ["requests"], v: [], i: 9 },
      { kind: 2, k: ["requests"], v: { id: "no list" } },
      '{"kind":1,"k":["title"],"v":"torn',
      "[]",
      " ",
      { kind: 1, k: ["unread", "deep", 3], v: 1 },
      { kind: 2, k: ["requests", 0, "tags"], v: ["t"] },
    );
    const refused = Array.from({ length: 4 }, () => "malformed");
    assert.deepEqual(applied, [
      "malformed",
      { changed: [] },
      ...refused,
      "malformed",
      "malformed",
      "blank",
      "ignored",
      { changed: ["requests", 0, "tags"], from: 0 },
    ]);
    assert.deepEqual(state, { title: "a", requests: [{ id: "r1", parts: [], tags: ["t"] }] });
  });

  it("reads a file that is one whole state", () => {
    const whole = new MutationLog(shape);
    assert.deepEqual(whole.load(Buffer.from('\n {"title":"a","requests":[]}\n')), { changed: [] });
    assert.deepEqual(whole.state, { title: "a", requests: [] });
    assert.equal(whole.load(Buffer.from('{"title":"b"')), "malformed");
    assert.equal(whole.load(Buffer.from("7")), "malformed");
    assert.deepEqual(whole.state, { title: "a", requests: [] });
  });
});

/** The entries as a reader of the file receives them: JSON has no `undefined`. */
function asRead(entries: readonly Entry[]): Entry[] {
  return entries.map((entry): Entry => {
    const { v, ...rest } = entry;
    return v === undefined ? rest : { ...rest, v: JSON.parse(JSON.stringify(v)) };
  });
}
