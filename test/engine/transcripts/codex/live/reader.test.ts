import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { readSettings, liveReader } from "../../../../../src/engine/transcripts/codex/live/reader.ts";
import { unsetAgentSettings } from "../../../../../src/engine/transcripts/live-reader.ts";
import { makeFifo } from "../../../support/make-fifo.ts";
import { scratchFolder } from "../../../support/scratch.ts";
import { writeTree } from "../../../support/write-tree.ts";

const nothingSet = { ...unsetAgentSettings, usesCatalogueWindows: false };

function settingsOf(
  test: TestContext,
  files: (folder: string) => Record<string, string>,
  cwd = "repo/src/deep",
) {
  const folder = scratchFolder(test);
  writeTree(folder, files(folder));
  mkdirSync(path.join(folder, cwd), { recursive: true });
  return readSettings({
    env: {},
    root: path.join(folder, "codex", "sessions"),
    cwd: path.join(folder, cwd),
    model: null,
  });
}

const limit = (tokens: number) => `model_auto_compact_token_limit = ${tokens}\n`;

describe("Codex's settings", () => {
  it("are plain where nothing is set, and never use the catalogue's windows", (test) => {
    assert.deepEqual(
      settingsOf(test, () => ({})),
      nothingSet,
    );
    assert.deepEqual(readSettings({ env: {}, root: null, cwd: null, model: null }), nothingSet);
  });

  it("name the model, and the size at which to compact", (test) => {
    const config = `# mine\nmodel = "gpt-5.5" # the model\nmodel_auto_compact_token_limit = 180_000\n[tui]\nmodel = "no"\n`;
    assert.deepEqual(
      settingsOf(test, () => ({ "codex/config.toml": config })),
      {
        ...nothingSet,
        model: "gpt-5.5",
        autoCompactWindow: 180_000,
        compactAt: 180_000,
      },
    );
  });

  it("come from the chosen profile first", (test) => {
    const config = `${limit(180_000)}profile = "small"\n[profiles.small]\n${limit(90_000)}[profiles.other]\n${limit(10)}`;
    assert.equal(settingsOf(test, () => ({ "codex/config.toml": config })).compactAt, 90_000);
  });

  it("come from a trusted project's folders, the nearest first", (test) => {
    const files = (trust: string) => (folder: string) => ({
      "codex/config.toml": `${limit(180_000)}[projects.${JSON.stringify(path.join(folder, "repo"))}]\ntrust_level = "${trust}"\n`,
      "repo/.git/HEAD": "",
      "repo/.codex/config.toml": limit(120_000),
      "repo/src/.codex/config.toml": limit(110_000),
      ".codex/config.toml": limit(1),
    });
    assert.equal(settingsOf(test, files("trusted")).compactAt, 110_000);
    assert.equal(settingsOf(test, files("untrusted")).compactAt, 180_000);
    assert.equal(settingsOf(test, files("trusted"), "elsewhere").compactAt, 180_000);
  });

  it("have no limit for the whole context where the limit is on a part of it", (test) => {
    const config = `${limit(180_000)}model_auto_compact_token_limit_scope = "body_after_prefix"\n`;
    assert.equal(settingsOf(test, () => ({ "codex/config.toml": config })).compactAt, null);
  });

  it("ignore what Codex cannot read either", (test) => {
    const odd = [
      "=",
      "model_auto_compact_token_limit = -1",
      'model_auto_compact_token_limit = "x"',
      "model = 7\nprofile = []",
      "a = 99999999999999999999",
      "profiles = 3",
      "projects = 1",
    ];
    for (const config of odd)
      assert.deepEqual(
        settingsOf(test, () => ({ "codex/config.toml": config })),
        nothingSet,
        config,
      );
    const folder = scratchFolder(test);
    const read = () =>
      readSettings({ env: {}, root: path.join(folder, "sessions"), cwd: "relative", model: null });
    mkdirSync(path.join(folder, "config.toml"));
    assert.deepEqual(read(), nothingSet);
    const other = scratchFolder(test);
    if (makeFifo(test, path.join(other, "config.toml")))
      assert.deepEqual(
        readSettings({ env: {}, root: path.join(other, "sessions"), cwd: null, model: null }),
        nothingSet,
      );
  });

  it("never throw, whatever the file holds", (test) => {
    const folder = scratchFolder(test);
    const file = path.join(folder, "config.toml");
    const piece = fc.constantFrom(
      "model",
      "profile",
      "[",
      "]",
      "projects",
      ".",
      "=",
      '"',
      "'",
      "\n",
      "1",
      "{",
      "}",
      "#",
      "model_auto_compact_token_limit = 5\n",
      " ",
      "\u0000",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(piece, { maxLength: 12 }).map((each) => each.join("")),
          fc.string(),
        ),
        (config) => {
          writeFileSync(file, config);
          const { usesCatalogueWindows } = readSettings({
            env: {},
            root: path.join(folder, "sessions"),
            cwd: null,
            model: null,
          });
          assert.equal(usesCatalogueWindows, false);
        },
      ),
    );
  });
});

describe("Codex's automatic compaction", () => {
  const at = (window: number, compactAt: number | null = null) =>
    liveReader.usualThreshold({ window, maxOutput: null, settings: { ...nothingSet, compactAt } });

  it("begins at 90 percent of the model's window, while Codex names 95 percent of it", () => {
    assert.equal(at(258_400), 244_800);
    assert.equal(at(380_000), 360_000);
  });

  it("begins at the user's limit, if that is lower", () => {
    assert.equal(at(258_400, 100_000), 100_000);
    assert.equal(at(258_400, 300_000), 244_800);
  });
});
