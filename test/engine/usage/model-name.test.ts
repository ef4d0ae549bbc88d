import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { asksForLongWindow, normaliseModelName } from "../../../src/engine/usage/catalogue/model-name.ts";

const sameModel: Readonly<Record<string, readonly string[]>> = {
  "claude-sonnet-4-6": [
    "claude-sonnet-4-6",
    "claude-sonnet-4-6[1m]",
    "CLAUDE-Sonnet-4-6[1M]",
    "  claude-sonnet-4-6 [1m] ",
    "claude-sonnet-4-6:thinking",
    "claude-sonnet-4.6",
    "claude-sonnet-4.6-1m",
    "claude-4.6-sonnet",
    "anthropic/claude-sonnet-4.6:beta",
    "openrouter/anthropic/claude-sonnet-4.6",
    "claude-sonnet-4-6@default",
  ],
  "claude-sonnet-4-5": [
    "claude-sonnet-4-5-20250929",
    "claude-sonnet-4-5@20250929",
    "claude-sonnet-4-5-20250929[1m]",
    "us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "global.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]",
    "anthropic.claude-sonnet-4-5-20250929-v1:0:200k",
    "arn:aws:bedrock:us-east-1:000000000000:inference-profile/us.anthropic.claude-sonnet-4-5-20250929-v1:0",
    "projects/p/locations/global/publishers/anthropic/models/claude-sonnet-4-5@20250929",
  ],
  "claude-opus-4-6": [
    "us.anthropic.claude-opus-4-6-v1:0",
    "anthropic.claude-opus-4-6-v1",
    "claude-opus-4-6-thinking",
  ],
  "claude-opus-4": ["claude-opus-4-20250514", "claude-opus-4-0", "claude-4-opus"],
  "claude-3-5-haiku": ["claude-3-5-haiku-20241022", "claude-3-5-haiku-latest", "claude-3.5-haiku"],
  "gpt-5.3-codex": ["gpt-5.3-codex", "GPT-5.3-Codex", "openai/gpt-5.3-codex"],
  "gpt-5.2": ["gpt-5.2-2025-12-11"],
  "gemini-3.1-pro-preview": ["models/gemini-3.1-pro-preview", "google/gemini-3.1-pro-preview"],
};

const decoration = fc.constantFrom(
  ...[
    "[1m]",
    ":thinking",
    "@20250929",
    "-20250929",
    "-v1:0",
    "-1m",
    "-latest",
    ".",
    "/",
    " ",
    "-0",
    "-4",
    "A",
    "İ",
  ],
  ...["us.anthropic.", "claude-", "sonnet", "4.5", "gpt-5", "-2025-12-11"],
);

describe("the name of a model", () => {
  for (const [name, ids] of Object.entries(sameModel)) {
    for (const id of ids) it(`of ${id} is ${name}`, () => assert.equal(normaliseModelName(id), name));
  }

  it("keeps the parts that distinguish models", () => {
    for (const id of [
      "claude-opus-4-10",
      "claude-opus-4-6-fast",
      "gpt-5.2-pro",
      "llama-3:free",
      "<synthetic>",
      "",
    ]) {
      assert.equal(normaliseModelName(id), id);
    }
  });

  it("is made from any text, and maps to itself", () => {
    const anyId = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.array(decoration).map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(anyId, (id) => {
        const name = normaliseModelName(id);
        assert.equal(normaliseModelName(name), name);
      }),
    );
  });

  it("of a hostile id costs nothing", () => {
    const id = "claude-" + "[1m]".repeat(250_000);
    assert.equal(normaliseModelName(id), id);
    assert.equal(asksForLongWindow(id), true);
  });
});

it("requests the long window only by its suffix", () => {
  for (const id of ["claude-sonnet-4-6[1m]", "claude-sonnet-4-6[1M] ", "claude-opus-4.6-1m"]) {
    assert.equal(asksForLongWindow(id), true, id);
  }
  for (const id of ["claude-sonnet-4-6", "claude-[1m]-sonnet", "1m", ""])
    assert.equal(asksForLongWindow(id), false, id);
});
