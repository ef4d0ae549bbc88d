import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SessionSnapshot } from "../../../src/engine/sessions/snapshot.ts";
import { accountOf, describeSession } from "./support/describe.ts";
import { at, compaction, prompt, response, sessionId, type Row } from "./support/rows.ts";

/** Responses that grow by the same step, one a minute. */
function growing(name: string, { from, step, turns }: { from: number; step: number; turns: number }): Row[] {
  return Array.from({ length: turns }, (_, turn) =>
    response({ id: `${name}${turn}`, minute: turn, input: from + step * turn }),
  );
}

function occupancies(name: string, tokens: readonly number[], minute = 50): Row[] {
  return tokens.map((input, turn) => response({ id: `${name}${turn}`, minute: minute + turn, input }));
}

const common = { sessionId, timestamp: new Date(at(49)).toISOString() };

function systemRow(members: Row): Row {
  return { type: "system", ...common, ...members };
}

function clearedBy(row: Row, edits: Row): Row {
  const { message } = row;
  return { ...row, message: { ...Object(message), context_management: edits } };
}

function shown(...rows: readonly (Row | readonly Row[])[]): SessionSnapshot {
  return describeSession(rows.flat());
}

describe("the forecast after a compaction", () => {
  // Reads files again, up to 44 % of the window, then works on as before.
  const reread = occupancies("r", [30_000, 55_000, 75_000, 88_000]);
  const work = occupancies("w", [90_000, 92_000, 94_000, 96_000, 104_000, 110_000, 116_000, 122_000], 55);

  it("uses the growth before it, at 44 % as well as at 61 %", () => {
    const before = growing("a", { from: 100_000, step: 2000, turns: 30 });
    const boundary = compaction({ minute: 49, pre: 160_000, post: 8000 });
    const at44 = shown(before, boundary, reread);
    assert.equal(at44.percent, 44);
    assert.equal(at44.growth.value, 2000);
    assert.equal(at44.turnsLeft.value, 39, "not 6: 79,000 tokens, 2,000 a turn");
    const left = work.map((_, turn) => shown(before, boundary, reread, work.slice(0, turn + 1)));
    assert.equal(left.at(-1)?.percent, 61);
    const turns = left.map(({ turnsLeft }) => turnsLeft.value ?? assert.fail("unknown"));
    assert.ok((turns.at(-1) ?? 0) < 39, "it falls as the context fills");
    turns.forEach((value, index) => assert.ok(value <= (turns[index - 1] ?? 39), turns.join()));
  });

  it("is unknown without earlier growth, until there is growth after files were read again", () => {
    const boundary = compaction({ minute: 49, pre: 160_000, post: 8000 });
    const first = growing("a", { from: 160_000, step: 0, turns: 1 });
    assert.equal(shown(first, boundary, reread).turnsLeft.value, null);
    const on = occupancies("x", [124_000, 126_000, 128_000, 130_000], 63);
    assert.ok((shown(first, boundary, reread, work, on).growth.value ?? 0) > 2000);
  });

  it("is the same after the second and the third compaction", () => {
    const before = growing("a", { from: 100_000, step: 2000, turns: 30 });
    const again = [compaction({ minute: 49, pre: 160_000, post: 8000 }), ...reread];
    const third = [compaction({ minute: 56 }), ...occupancies("t", [20_000, 50_000, 80_000, 88_000], 57)];
    assert.equal(shown(before, again, third).growth.value, 2000);
  });
});

describe("results that are cleared from the context", () => {
  const before = growing("a", { from: 80_000, step: 1000, turns: 31 });
  const last = before.at(-1) ?? assert.fail();

  it("change it at once if a row reports their size", () => {
    const rows: readonly (readonly [Row, number])[] = [
      [
        systemRow({ subtype: "microcompact_boundary", microcompactMetadata: { tokensSaved: 40_000 } }),
        70_000,
      ],
      [
        { type: "attachment", ...common, attachment: { type: "tool_results_cut", roughTokens: 30_000 } },
        80_000,
      ],
      [systemRow({ subtype: "microcompact_boundary", microcompactMetadata: { tokensSaved: 1e9 } }), 0],
    ];
    for (const [row, left] of rows) {
      const now = shown(before, row);
      assert.equal(now.occupancy.value, left);
      assert.equal(now.occupancy.provenance, "official");
      assert.match(now.occupancy.source.text, /clearing results left/u);
      assert.equal(now.growth.value, 1000);
      const room = (now.threshold.value ?? assert.fail()) - left;
      assert.equal(now.turnsLeft.value, Math.floor(room / 1000));
    }
  });

  it("leave it unchanged if a row does not report their size, until the next response", () => {
    const rows: readonly Row[] = [
      systemRow({ subtype: "microcompact_boundary" }),
      systemRow({ subtype: "microcompact_boundary", microcompactMetadata: { tokensSaved: null } }),
      { type: "attachment", ...common, attachment: { type: "tool_results_cut", callIds: ["x"] } },
      { type: "content-replacement", sessionId, replacements: [{ kind: "tool-result", toolUseId: "x" }] },
    ];
    for (const row of rows) {
      assert.equal(shown(before, row).occupancy.value, 110_000);
      assert.deepEqual(shown(before, row).skippedLines, {});
      const next = shown(before, row, response({ id: "z", minute: 50, input: 70_000 }));
      assert.equal(next.occupancy.value, 70_000);
      assert.equal(next.occupancy.provenance, "measured");
      assert.equal(next.growth.value, 1000, "a fall is not growth");
    }
  });

  it("are not growth if each response repeats the sum of cleared tokens", () => {
    const edits = { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_input_tokens: 30_000 }] };
    const more = { applied_edits: [{ type: "clear_tool_uses_20250919", cleared_input_tokens: 39_000 }] };
    const after = occupancies("b", [80_000, 81_000, 82_000, 83_000]).map((row) => clearedBy(row, edits));
    const cleared = shown(before, after);
    assert.equal(cleared.occupancy.value, 83_000);
    assert.equal(cleared.growth.value, 1000);
    const again = shown(before, after, clearedBy(response({ id: "c", minute: 55, input: 76_000 }), more));
    assert.equal(again.growth.value, 1000, "a fall of 8 % after clearing is not growth either");
  });

  it("allow one further warning for the session", () => {
    const boundary = systemRow({
      subtype: "microcompact_boundary",
      microcompactMetadata: { tokensSaved: 40_000 },
    });
    const named = accountOf([...before, boundary, response({ id: "z", minute: 50, input: 70_000 })]);
    assert.equal(named.main.falls, 1);
    const unnamed = accountOf([...before, response({ id: "z", minute: 50, input: 70_000 })]);
    assert.equal(unnamed.main.falls, 1);
  });

  it("do not change the price of sent tokens", () => {
    const boundary = systemRow({
      subtype: "microcompact_boundary",
      microcompactMetadata: { tokensSaved: 40_000 },
    });
    assert.deepEqual(shown(before, boundary).usage, shown(before).usage);
    assert.equal(shown(prompt(), last, boundary).turns, 1);
  });
});
