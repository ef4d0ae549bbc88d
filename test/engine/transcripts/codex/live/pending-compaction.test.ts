import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { count, idAt, meta, response, start, vector } from "../rollout-rows.ts";
import { accountOf } from "./account-of.ts";
import { began, compacted, ended, estimate, head, prompt } from "./event-rows.ts";

const one = idAt(0);

describe("a compaction in a rollout read live", () => {
  const usage = (input: number, output: number) => vector(input, 0, output);
  const summary = response(5, one, "sum", usage(19_901, 77));
  const before = [...head, response(2, one, "r1", usage(19_001, 801)), ended(3)];
  const row5 = compacted(6, { compaction_response_id: "sum" });
  const read = (lines: readonly string[]) => {
    const { compactions, unansweredCompaction } = accountOf(lines).main;
    return {
      compactions: compactions.map(({ compaction: { trigger, preTokens, postTokens, at } }) => [
        trigger,
        preTokens,
        postTokens,
        at,
      ]),
      isOpen: unansweredCompaction !== null,
    };
  };

  it("began by itself where a prompt waits for it, or the agent continued after it", () => {
    const waiting = [...before, began(4), summary, row5, estimate(7, 6071)];
    const wanted = ["auto", 19_802, 6071, start + 6000];
    assert.deepEqual(read([...waiting, prompt(8, "Tell its end.")]), { compactions: [wanted], isOpen: true });
    assert.deepEqual(read([...waiting, response(8, one, "r3", usage(5000, 9))]), {
      compactions: [wanted],
      isOpen: false,
    });
    const within = [...head, response(2, one, "r1", usage(19_001, 801)), summary, row5, estimate(7, 6071)];
    assert.deepEqual(read(within), { compactions: [wanted], isOpen: true });
  });

  it("was requested where it is a turn of its own", () => {
    const lines = [...before, began(4), summary, row5, estimate(7, 6071), ended(8)];
    assert.deepEqual(read(lines).compactions, [["manual", 19_802, 6071, start + 6000]]);
    assert.equal(accountOf(lines).main.occupancy(), 6071);
  });

  it("is reported with the known facts where rows are missing", () => {
    assert.deepEqual(read([...before, began(4), summary, row5, began(9)]).compactions, [
      ["unknown", 19_802, null, start + 6000],
    ]);
    const older = [
      meta(0, { id: one }),
      prompt(1, "Go."),
      count(2, usage(9000, 10), usage(9000, 10)),
      compacted(3),
    ];
    assert.deepEqual(read([...older, estimate(4, 3000)]).compactions, [
      ["unknown", 9010, 3000, start + 3000],
    ]);
    assert.deepEqual(read([...older, compacted(5), estimate(6, 2000)]).compactions, [
      ["unknown", 9010, null, start + 3000],
      ["unknown", 9010, 2000, start + 5000],
    ]);
  });

  it("leaves Codex's own estimate, also when that is repeated", () => {
    const lines = [
      ...before,
      began(4),
      summary,
      row5,
      estimate(7, 6071),
      ended(8),
      began(9),
      estimate(9, 6071),
    ];
    assert.equal(accountOf(lines).main.occupancy(), 6071);
    assert.equal(read(lines).compactions.length, 1);
  });
});
