import assert from "node:assert/strict";
import { plainSentence } from "../../../src/engine/base/language.ts";
import { test } from "node:test";
import type { ContextNow } from "../../../src/engine/sessions/live/sessions-view.ts";
import { HookAdvice } from "../../../src/engine/hooks/advice.ts";

const now: ContextNow = {
  advice: "WRAP_UP",
  compactions: 2,
  folder: "/work/quiet",
  measuredAt: 1000,
  noteLeft: 900,
  occupancy: { value: 150_000, provenance: "measured", source: plainSentence("a test") },
  window: { value: 200_000, provenance: "official", source: plainSentence("a test") },
};

test("how full a context is comes with its session's folder, whose settings turn warnings on or off", () => {
  const view = { contextNow: (id: string) => (id === "session-1" ? now : undefined) };
  const advice = new HookAdvice(
    { view: () => ({ item: { view }, dispose: () => undefined }) },
    { roots: [], env: {}, folders: [] },
  );
  const { occupancy, window, ...rest } = now;
  assert.deepEqual(advice.of("session-1"), { ...rest, tokens: occupancy.value, window: window.value });
  assert.equal(advice.of("session-1")?.folder, "/work/quiet");
  assert.equal(advice.of("session-2"), undefined);
});
