import { plainSentence } from "../../../../src/engine/base/language.ts";
import { assert } from "../../support/assert-texts.ts";
import test from "node:test";
import { Collector } from "../../../../src/engine/ledger/collect/collector.ts";
import {
  nothingRead,
  type Source,
  type SourceReader,
} from "../../../../src/engine/ledger/collect/collect-source.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { ids, open, response } from "../support/support.ts";
import { noPositions } from "./support.ts";

function sourceOf(path: string, read: SourceReader["read"]): Source {
  return { path, size: 1, mtimeMs: 1, rest: 0, open: () => ({ read }) };
}

test("A bug of purser with one file is reported, and does not keep other files out", async (t) => {
  const ledger = await open(t, scratchFolder(t));
  let isFaulty = true;
  const logged: string[] = [];
  const bad = sourceOf("/bad", () => {
    if (isFaulty) throw new Error("a bug");
    return { ...nothingRead, entries: [response(1)] };
  });
  const unreadable = sourceOf("/denied", () => ({
    ...nothingRead,
    problem: plainSentence("it may not be read"),
  }));
  const good = sourceOf("/good", () => ({ ...nothingRead, entries: [response(2)] }));
  const collector = new Collector({
    find: () => ({ sources: [bad, unreadable, good], areas: [], folders: [], problems: [] }),
    append: (entries) => ledger.append(entries),
    positions: noPositions,
    clock: { now: () => 1 },
    onFreshness: () => undefined,
    onProblem: (message) => logged.push(message),
  });
  const { asOf, problems } = await collector.catchUp();
  const denied = { path: "/denied", reason: "it may not be read" };
  assert.deepEqual([asOf, ids(ledger)], [1, ["msg_2"]]);
  assert.deepEqual(problems, [
    { path: "/bad", reason: "purser failed to read it; the service's log says why" },
    denied,
  ]);
  assert.deepEqual(logged, ["/bad cannot be read: Error: a bug"]);
  isFaulty = false;
  assert.deepEqual((await collector.catchUp()).problems, [denied]);
  assert.deepEqual(ids(ledger), ["msg_1", "msg_2"]);
});
