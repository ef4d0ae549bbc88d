import assert from "node:assert/strict";
import { PassThrough } from "node:stream";
import { describe, it } from "node:test";
import fc from "fast-check";
import { readEnvelope } from "../../../src/engine/protocol/envelope.ts";
import { FrameReader } from "../../../src/engine/protocol/frame-reader.ts";

interface Read {
  readonly received: unknown[];
  readonly refused: string[];
}

/** Reads a stream that arrives in pieces, cut at these positions. */
async function readPieces(bytes: Buffer, cuts: readonly number[], limit = 1000): Promise<Read> {
  const stream = new PassThrough();
  const read: Read = { received: [], refused: [] };
  const reader = new FrameReader(stream, {
    limit: () => limit,
    admit: readEnvelope,
    onRefused: (why) => read.refused.push(why.text),
  });
  reader.listen((message) => read.received.push(message));
  const indexes = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
  for (const [index, position] of indexes.entries())
    stream.write(bytes.subarray(indexes[index - 1] ?? 0, position));
  await new Promise((resolve) => stream.end(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  return read;
}

function frame(message: unknown): string {
  const body = JSON.stringify(message);
  return `Content-Length: ${Buffer.byteLength(body)}\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n${body}`;
}

const message = fc
  .record({ method: fc.constantFrom("status", "subscribe"), text: fc.string({ unit: "grapheme" }) })
  .map(({ method, text }) => ({ jsonrpc: "2.0", method, params: { text } }));

describe("frames", () => {
  it("are the same messages in any pieces", async () => {
    const cuts = fc.array(fc.nat());
    await fc.assert(
      fc.asyncProperty(fc.array(message, { maxLength: 5 }), cuts, async (messages, indexes) => {
        const read = await readPieces(Buffer.from(messages.map(frame).join("")), indexes, 10_000);
        assert.deepEqual(read, { received: messages, refused: [] });
      }),
    );
  });

  it("are refused once, and nothing after that is read", async () => {
    const good = frame({ jsonrpc: "2.0", method: "status", params: {} });
    const junk = fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes));
    await fc.assert(
      fc.asyncProperty(junk, fc.array(fc.nat()), async (bytes, cuts) => {
        const long = Buffer.from("Content-Length: 1001\r\n\r\n");
        const read = await readPieces(Buffer.concat([Buffer.from(good), long, bytes]), cuts);
        assert.equal(read.received.length, 1);
        assert.deepEqual(read.refused, ["a message of 1001 bytes is too long"]);
      }),
    );
  });

  it("never throw for any input", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 2000 }), fc.array(fc.nat()), async (bytes, cuts) => {
        const read = await readPieces(Buffer.from(bytes), cuts);
        assert.ok(read.refused.length <= 1);
      }),
    );
  });
});
