import assert from "node:assert/strict";
import { test } from "node:test";
import { stepCosts } from "./step-costs.ts";

const ran = (name: string, seconds: number, state: "passed" | "failed" | "skipped" = "passed") => ({
  step: { name, title: name, command: ["true"] as const },
  seconds,
  processor: name === "agents" ? 12.4 : null,
  state,
});

test("the dearest step comes first, with its share; what was skipped took nothing", () => {
  assert.deepEqual(stepCosts([ran("types", 25), ran("agents", 75, "failed"), ran("host", 0, "skipped")]), [
    "agents         75.0 s  75 %, 12 s of processor",
    "types          25.0 s  25 %",
  ]);
});
