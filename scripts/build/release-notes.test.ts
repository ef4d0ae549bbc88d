import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { it } from "node:test";
import { z } from "zod";
import { releaseNotes } from "./release-notes.ts";

const changelog =
  "# Changelog\n\n## 0.2.0\n\n- Sails.\n\n### Repairs\n\n- A leak.\n\n## 0.1.10 (old)\n\n- A hull.\n";

it("are a version's part of the changelog, with the headings in it", () => {
  assert.equal(releaseNotes(changelog, "0.2.0"), "- Sails.\n\n### Repairs\n\n- A leak.");
  assert.equal(releaseNotes(changelog, "0.1.10"), "- A hull.");
  assert.equal(releaseNotes(changelog, "0.1.1"), null);
});

it("exist for the version in package.json", () => {
  const { version } = z
    .object({ version: z.string() })
    .parse(JSON.parse(readFileSync("package.json", "utf8")));
  assert.notEqual(releaseNotes(readFileSync("CHANGELOG.md", "utf8"), version), null);
});
