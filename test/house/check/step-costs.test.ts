import assert from "node:assert/strict";
import { test } from "node:test";
import { stepCosts } from "./step-costs.ts";

const ran = (name: string, seconds: number, state: "passed" | "failed" | "skipped" = "passed") => ({
  step: { name, title: name, command: ["true"] as const },
  seconds,
  state,
});

test("the dearest step comes first, with its share; what was skipped took nothing", () => {
  assert.deepEqual(stepCosts([ran("types", 25), ran("agents", 75, "failed"), ran("host", 0, "skipped")]), [
    "agents         75.0 s  75 %",
    "types          25.0 s  25 %",
  ]);
});
