import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import * as z from "zod";
import { lengthened } from "../../../src/extension/sample/lengthen.ts";
import { fillerText } from "../../../src/extension/sample/filler.ts";

const recordings = path.resolve(import.meta.dirname, "../../recordings");
const file = "try-session.jsonl";
const block = z.looseObject({
  type: z.string().optional(),
  text: z.string().optional(),
  thinking: z.string().optional(),
  content: z.unknown().optional(),
  tool_use_id: z.string().optional(),
});
const row = z.looseObject({
  type: z.string().optional(),
  message: z
    .looseObject({
      id: z.string().optional(),
      content: z.union([z.string(), z.array(block)]),
      usage: z
        .looseObject({
          input_tokens: z.number(),
          output_tokens: z.number(),
          cache_creation_input_tokens: z.number(),
          cache_read_input_tokens: z.number(),
        })
        .optional(),
    })
    .optional(),
});
type Row = z.infer<typeof row>;

function rowsOf(text: string): Row[] {
  const lines = text.split("\n").filter((line) => line !== "");
  return lines.map((line) => row.parse(JSON.parse(line)));
}

describe("a recorded transcript of the sample", () => {
  const before = readFileSync(path.join(recordings, file), "utf8");
  const after = lengthened(before);

  it("has results as long as the growth of the context that they cause", () => {
    let [held, length, compared] = [0, 0, 0];
    const seen = new Set<string>();
    for (const { type, message } of rowsOf(after)) {
      if (message === undefined || typeof message.content === "string") continue;
      if (type === "user")
        for (const part of message.content)
          length += typeof part.content === "string" ? part.content.length : 0;
      const { usage, id = "" } = message;
      if (type !== "assistant" || usage === undefined || seen.has(id)) continue;
      seen.add(id);
      const now = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
      const grown = now - held;
      if (held > 0 && grown > 500 && length > 100) {
        const ratio = length / grown;
        assert.ok(ratio > 3 && ratio < 4.2, `${id}: ${length} characters for ${grown} tokens`);
        compared += 1;
      }
      held = now + usage.output_tokens;
      length = 0;
    }
    assert.ok(compared > 20, String(compared));
  });

  it("keeps its rows, its figures, its prompts and its words", () => {
    const plain = (text: string) =>
      rowsOf(text).map(({ type, message }) => [
        type,
        message?.usage,
        typeof message?.content === "string"
          ? message.content
          : message?.content
              .filter((part) => part.type !== "thinking")
              .map((part) => [
                part.type,
                part.tool_use_id,
                part.type === "text" && type !== "api-request-blob" ? part.text : "",
              ]),
      ]);
    assert.deepEqual(plain(after), plain(before));
    assert.equal(lengthened(before), after);
    assert.ok(!after.includes('"Neutral text."}]}]'));
  });

  it("leaves what is no row as it is", () => {
    for (const text of ["", "{", "[1]", '{"type":"summary"}', "null\n\n3"])
      assert.equal(lengthened(text), text);
  });
});

it("A filler is as long as wanted, and always the same", () => {
  for (const kind of ["code", "prose", "log"] as const)
    for (const length of [0, 1, 500, 70_000]) {
      const text = fillerText(length, kind, 7);
      assert.equal(text.length, length);
      assert.equal(fillerText(length, kind, 7), text);
    }
  assert.notEqual(fillerText(300, "code", 1), fillerText(300, "code", 2));
});
