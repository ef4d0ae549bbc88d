import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { readCompressionSettings } from "../../../../src/engine/transcripts/gemini/compression-settings.ts";
import { liveReader } from "../../../../src/engine/transcripts/gemini/live-reader.ts";
import { scratchFolder } from "../../support/scratch.ts";
import { writeTree } from "../../support/write-tree.ts";

/** Settings with these files. Strings are written verbatim. */
function settingsOf(t: TestContext, { user, project }: { user?: unknown; project?: unknown }) {
  const folder = scratchFolder(t);
  const files = { ".gemini/settings.json": user, "work/.gemini/settings.json": project };
  for (const [name, content] of Object.entries(files))
    if (content !== undefined)
      writeTree(folder, { [name]: typeof content === "string" ? content : JSON.stringify(content) });
  return readCompressionSettings({
    root: path.join(folder, ".gemini", "tmp"),
    cwd: path.join(folder, "work"),
  });
}

const threshold = (compressionThreshold: unknown) => ({ model: { compressionThreshold } });

describe("Gemini's settings", () => {
  it("compress at half of the window by default; the project's override the user's", (t) => {
    const percentOf = (files: Parameters<typeof settingsOf>[1]) => settingsOf(t, files).compactPercent;
    assert.equal(percentOf({}), 50);
    assert.equal(percentOf({ user: threshold(0.57) }), 57);
    assert.equal(percentOf({ user: threshold(0.2), project: threshold(0.3) }), 30);
    assert.equal(percentOf({ user: threshold(0.2), project: { model: { name: "auto" } } }), 20);
    assert.equal(percentOf({ user: '{\n// Mine.\n"model": {"compressionThreshold": 0.8,},\n}' }), 80);
    assert.equal(percentOf({ user: threshold(0.2), project: "[".repeat(200_000) }), 20, "too deep to parse");
    for (const odd of [0, -1, "0.2", null]) assert.equal(percentOf({ user: threshold(odd) }), 50);
    assert.equal(readCompressionSettings({ root: null, cwd: "work" }).compactPercent, 50);
  });

  it("never compress in profiles that keep the history short in another way", (t) => {
    const isOn = (files: Parameters<typeof settingsOf>[1]) => settingsOf(t, files).autoCompact;
    assert.equal(isOn({}), true);
    assert.equal(isOn({ user: { experimental: { contextManagement: true } } }), false);
    const [user, project] = [true, false].map((generalistProfile) => ({
      experimental: { generalistProfile },
    }));
    assert.equal(isOn({ user, project }), true);
  });

  it("can be read from any content", (t) => {
    const folder = scratchFolder(t);
    mkdirSync(path.join(folder, "settings.json"));
    assert.equal(readCompressionSettings({ root: path.join(folder, "tmp"), cwd: null }).compactPercent, 50);
    const content = fc.oneof(fc.json(), fc.string());
    fc.assert(
      fc.property(content, (user) => {
        const percent = settingsOf(t, { user }).compactPercent;
        assert.ok(percent !== null && percent > 0);
      }),
      { numRuns: 30 },
    );
  });

  it("set where compression begins, measured by the last request", () => {
    const { usualThreshold } = liveReader;
    const settings = readCompressionSettings({ root: null, cwd: null });
    assert.equal(usualThreshold({ window: 1_048_576, maxOutput: null, settings }), 524_288);
    assert.equal(usualThreshold({ window: 256_001, maxOutput: 8192, settings }), 128_001);
    assert.equal(
      usualThreshold({ window: 5, maxOutput: null, settings: { ...settings, compactPercent: null } }),
      null,
    );
  });
});
