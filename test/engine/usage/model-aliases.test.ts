import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { agentWindow, builtInCatalogue, lookupModel } from "../../../src/engine/usage/catalogue/catalogue.ts";

/** How agents, APIs, clouds and gateways write a model's name. */
const anyProvider: Readonly<Record<string, (id: string) => string>> = {
  "the catalogue's": (id) => id,
  "in capitals": (id) => id.toUpperCase(),
  "a gateway's path": (id) => `openrouter/vendor/${id}`,
  "a gateway's route": (id) => `vendor/${id}:nitro`,
  "a library's": (id) => `vendor:${id}`,
  latest: (id) => `${id}-latest`,
  "Azure's": (id) => `azure/${id}`,
  "Vertex's default": (id) => `projects/p/locations/eu/publishers/vendor/models/${id}@default`,
};

const claude: Readonly<Record<string, (id: string) => string>> = {
  dated: (id) => `${id}-20250805`,
  "dated, 1M": (id) => `${id}-20250805[1m]`,
  "Bedrock's": (id) => `anthropic.${id}-20250805-v1:0`,
  "Bedrock's, undated": (id) => `anthropic.${id}`,
  "Bedrock's, short": (id) => `anthropic.${id}-v1`,
  ...Object.fromEntries(
    ["us", "eu", "apac", "global", "us-gov", "jp", "au"].map((region) => [
      `Bedrock's in ${region}`,
      (id: string) => `${region}.anthropic.${id}-20250805-v1:0`,
    ]),
  ),
  "a profile of Bedrock": (id) =>
    `arn:aws:bedrock:us-east-1:000000000000:inference-profile/us.anthropic.${id}-20250805-v1:0`,
  "Bedrock's by LiteLLM": (id) => `bedrock/converse/us.anthropic.${id}-20250805-v1:0`,
  "Bedrock's by a library": (id) => `bedrock:us.anthropic.${id}-20250805-v1:0`,
  "Vertex's": (id) => `${id}@20250805`,
  "Vertex's by LiteLLM": (id) => `vertex_ai/${id}@20250805`,
  "OpenRouter's": (id) => `openrouter/anthropic/${dotted(id)}`,
  "OpenRouter's, thinking": (id) => `anthropic/${dotted(id)}:thinking`,
  "Databricks'": (id) => `databricks-${id}`,
  "SAP's": (id) => `anthropic--${id}`,
  "by its name for people": (id) => dotted(id).replaceAll("-", " "),
};

/** `claude-opus-4-1` as `claude-opus-4.1`. */
function dotted(id: string): string {
  return id.replace(/(\d)-(\d)/u, "$1.$2");
}

describe("a model by any name", () => {
  for (const facts of builtInCatalogue.models) {
    const ways = facts.provider === "anthropic" ? { ...anyProvider, ...claude } : anyProvider;
    it(`of ${facts.id} has its window and price`, () => {
      for (const [way, write] of Object.entries(ways)) {
        const found = lookupModel(builtInCatalogue, write(facts.id));
        assert.equal(found?.id, facts.id, `${way}: ${write(facts.id)}`);
        assert.ok((agentWindow(found, { long: false }) ?? 0) > 0);
        assert.ok(found.prices.some(({ input, output }) => input !== null && output !== null));
      }
    });
  }

  it("is found by the names that only one agent or cloud uses", () => {
    const names: readonly (readonly [string, string])[] = [
      ["claude-opus-41", "claude-opus-4-1"],
      ["claude-4.1-opus-20250805", "claude-opus-4-1"],
      ["claude-4-1-opus", "claude-opus-4-1"],
      ["claude-opus-4-1-20250805-thinking", "claude-opus-4-1"],
      ["claude-3.7-sonnet-thought", "claude-3-7-sonnet"],
      ["claude-3-5-sonnet-v2@20241022", "claude-3-5-sonnet"],
      ["openai.gpt-5.4-2026-03-05", "gpt-5.4"],
      ["gpt-5-4", "gpt-5.4"],
      ["gemini-2.5-pro-001", "gemini-2.5-pro"],
      ["gemini-3.1-pro-preview-customtools", "gemini-3.1-pro-preview"],
    ];
    for (const [name, id] of names) assert.equal(lookupModel(builtInCatalogue, name)?.id, id, name);
  });

  it("is never found by an unknown model's name", () => {
    const unknown =
      "claude-opus-4-10,claude-opus-40,claude-opus-4-1-fast,claude-opus-4-1:free,my-claude-opus-4-1," +
      "notanthropic.claude-opus-4-1x,claude opus,claude-opus-14,gpt-5.4-turbo,vendor:unknown-1,gemini-2.5-pro-0012,anthropic:";
    for (const name of unknown.split(",")) assert.equal(lookupModel(builtInCatalogue, name), undefined, name);
  });
});
