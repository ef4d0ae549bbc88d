import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { markFor } from "../../../../src/engine/hooks/install/settings/install-settings-entry.ts";
import type { PartialSettings } from "../../../../src/engine/settings/shape.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { hook, placeOf, post } from "./hooks.ts";
import { served } from "./rules-service.ts";

export const tried = [
  "Read a file once and work from what you saw.",
  "Run one test at a time until it passes.",
];

/** A service with two approved rules of the main agent, to which Claude Code's hooks come. */
export async function servedTrial(t: TestContext, settings: PartialSettings = {}) {
  const service = await served(t, settings);
  const { box, client, root } = service;
  mkdirSync(box.root, { recursive: true });
  writeFileSync(
    path.join(box.root, "settings.json"),
    JSON.stringify({ hooks: markFor("claude-code", "Stop") }),
  );
  const made = await client.ask("rulesPropose", {
    agent: "main",
    origin: "hand",
    rules: tried.map((text) => ({ text, source: null })),
  });
  assert.ok(made.ok);
  const ids = made.value.proposed.map(({ id }) => id ?? "");
  for (const id of ids) assert.ok((await client.ask("rulesAct", { id, act: { kind: "approve" }, root })).ok);
  await waitUntil(() => box.log().includes("Hooks are answered at"));
  const answerTo = async (sessionId: string, event: string, more: object): Promise<string> =>
    (await post(placeOf(box.home), hook(event, { session_id: sessionId, ...more }))).body;
  /** Posts a hook of a session; returns the context that it is given, or null. */
  const say = async (sessionId: string, event: string, more: object = {}): Promise<string | null> => {
    const body = await answerTo(sessionId, event, more);
    const found = /"additionalContext":("(?:[^"\\]|\\.)*")/u.exec(body)?.[1];
    return found === undefined ? null : String(JSON.parse(found));
  };
  return { ...service, ids, say, answerTo };
}
