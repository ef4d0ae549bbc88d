import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { agents } from "../../../src/engine/transcripts/agents.ts";

test("each agent has a different icon of the editor's", () => {
  const styles = readFileSync(
    createRequire(import.meta.url).resolve("@vscode/codicons/dist/codicon.css"),
    "utf8",
  );
  for (const { name, icon } of agents) assert.ok(styles.includes(`.codicon-${icon}:`), `${name}: ${icon}`);
  assert.equal(new Set(agents.map(({ icon }) => icon)).size, agents.length);
});
