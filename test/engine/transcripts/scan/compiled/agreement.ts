import assert from "node:assert/strict";
import {
  declined,
  joined,
  RowKernel,
  unwanted,
  whole,
} from "../../../../../src/engine/transcripts/scan/compiled/row-kernel.ts";
import { mayBeWanted } from "../../../../../src/engine/transcripts/scan/line-sniff.ts";
import {
  rowShape,
  type ObjectShape,
  type Shape,
} from "../../../../../src/engine/transcripts/scan/row-shape.ts";
import { RowReader } from "../../../../../src/engine/transcripts/scan/row-reader.ts";
import { assertReadsLikeReference, readingIn, readingOf } from "../reading.ts";
import { referenceRow } from "../reference-row.ts";

export const kernel = new RowKernel(1 << 16);
const ownReader = new RowReader();
export const kernelReader = new RowReader(kernel.values);

function shapesIn(shape: ObjectShape): Shape[] {
  return [
    shape,
    ...shape.members.entries().flatMap(({ value }) => (value.kind === "object" ? shapesIn(value) : [value])),
  ];
}
const shapes = shapesIn(rowShape);

/** The content of each slot of the last row. */
function slotsOf({ values }: RowReader): (string | number | boolean | null)[] {
  return shapes.map(({ kind, slot }) => {
    if (!values.has(slot)) return values.isWrong(slot) ? "wrong" : null;
    if (kind === "text") return `text ${values.text(slot)}`;
    return kind === "count" ? values.count(slot) : values.isTrue(slot);
  });
}

/** Reads a line at the end of the input, or at a place chosen by a seed. */
export function outcomeOf(line: string | Uint8Array, seed = 0): number {
  const bytes = Buffer.from(line);
  const room = kernel.input.length - bytes.length - 1;
  const start = room - (seed % (room + 1));
  // The bytes around the line must not matter.
  kernel.input.fill('"},');
  bytes.copy(kernel.input, start);
  kernel.input[start + bytes.length] = 0x0a;
  return kernel.read(kernel.input, start, start + bytes.length);
}

/** Asserts that a row is either declined, or read or skipped as our own code does. */
export function assertAgrees(line: string | Uint8Array, seed = 0): void {
  const bytes = Buffer.from(line);
  const outcome = outcomeOf(bytes, seed);
  if (outcome !== declined)
    assert.equal(mayBeWanted(bytes, 0, bytes.length), outcome === whole, String(bytes));
  if (outcome === whole) {
    const own = readingOf(ownReader, bytes);
    assert.deepEqual(readingIn(kernelReader, kernelReader.judge(bytes, 0, bytes.length)), own, String(bytes));
    assert.deepEqual(slotsOf(kernelReader), slotsOf(ownReader), String(bytes));
    assertReadsLikeReference(ownReader, bytes);
  } else if (outcome === unwanted || outcome === joined) {
    assert.equal(outcome === joined, bytes.includes('"type":"assistant"'), String(bytes));
    const { kind, longContext } = referenceRow(String(bytes));
    assert.ok(["other", "malformed"].includes(kind) && !longContext, `passed over: ${String(bytes)}`);
  } else assert.equal(outcome, declined);
}
