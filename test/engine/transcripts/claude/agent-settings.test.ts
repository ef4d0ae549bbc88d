import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import fc from "fast-check";
import { readSettings } from "../../../../src/engine/transcripts/claude/agent-settings.ts";
import { unsetAgentSettings, type AgentSettings } from "../../../../src/engine/transcripts/live-reader.ts";
import { makeFifo } from "../../support/make-fifo.ts";
import { sonnet } from "../../sessions/support/rows.ts";
import { Scratch } from "../../sessions/support/scratch.ts";

/** The settings where nothing is set. */
const plain: AgentSettings = { ...unsetAgentSettings, assumedWindow: 1_000_000 };

interface Settings {
  readonly env?: Readonly<Record<string, string>>;
  readonly user?: unknown;
  readonly project?: unknown;
  readonly local?: unknown;
  readonly model?: string | null;
}

/** The agent configuration that results from these settings files. Strings are written verbatim. */
function configured(
  test: TestContext,
  { env = {}, user, project, local, model = sonnet }: Settings,
): AgentSettings {
  const scratch = new Scratch(test);
  const files = {
    "root/settings.json": user,
    "work/.claude/settings.json": project,
    "work/.claude/settings.local.json": local,
  };
  for (const [name, content] of Object.entries(files))
    if (content !== undefined)
      scratch.write(name, typeof content === "string" ? content : JSON.stringify(content));
  return readSettings({ env, root: scratch.path("root"), cwd: scratch.path("work"), model });
}

describe("an agent's configuration", () => {
  it("is plain without environment and settings", (test) => {
    assert.deepEqual(configured(test, {}), plain);
    assert.deepEqual(readSettings({ env: {}, root: null, cwd: null, model: null }), plain);
  });

  it("comes from the environment", (test) => {
    const env = {
      CLAUDE_CODE_AUTO_COMPACT_WINDOW: "300000",
      CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: "70",
      CLAUDE_CODE_DISABLE_1M_CONTEXT: "1",
      CLAUDE_CODE_MAX_CONTEXT_TOKENS: "128000",
      CLAUDE_CODE_MAX_OUTPUT_TOKENS: "8000",
      ANTHROPIC_MODEL: "sonnet[1m]",
    };
    assert.deepEqual(configured(test, { env }), {
      autoCompact: true,
      autoCompactWindow: 300_000,
      compactPercent: 70,
      longContextOff: true,
      model: "sonnet[1m]",
      maxContextTokens: 128_000,
      maxOutputTokens: 8000,
      assumedWindow: 200_000,
      compactAt: null,
      usesCatalogueWindows: true,
    });
  });

  it("comes from the user's, the project's and the local settings, each over the one before", (test) => {
    const reported = (value: string) => ({ env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: value } });
    const env = reported("10").env;
    const [user, project, local] = [reported("20"), reported("30"), reported("40")];
    assert.equal(configured(test, { env }).compactPercent, 10);
    assert.equal(configured(test, { env, user }).compactPercent, 20);
    assert.equal(configured(test, { env, user, project }).compactPercent, 30);
    assert.equal(configured(test, { env, user, project, local }).compactPercent, 40);
    assert.equal(configured(test, { user, local: {} }).compactPercent, 20);
  });

  it("starts with the model of the environment, else of the nearest setting", (test) => {
    const [user, local] = [{ model: "opus[1m]" }, { model: "sonnet" }];
    assert.equal(configured(test, { user }).model, "opus[1m]");
    assert.equal(configured(test, { user, local }).model, "sonnet");
    assert.equal(configured(test, { user, local, env: { ANTHROPIC_MODEL: "haiku" } }).model, "haiku");
  });

  it("has no automatic compaction where a setting or the environment turns it off", (test) => {
    assert.equal(configured(test, { user: { autoCompactEnabled: false } }).autoCompact, false);
    const again = { user: { autoCompactEnabled: false }, local: { autoCompactEnabled: true } };
    assert.equal(configured(test, again).autoCompact, true);
    for (const name of ["DISABLE_AUTO_COMPACT", "DISABLE_COMPACT"]) {
      for (const on of ["1", "true", "YES", " on "])
        assert.equal(configured(test, { env: { [name]: on } }).autoCompact, false, `${name}=${on}`);
      for (const off of ["", "0", "false", "no"])
        assert.equal(configured(test, { env: { [name]: off } }).autoCompact, true, `${name}=${off}`);
      assert.equal(configured(test, { project: { env: { [name]: true } } }).autoCompact, false);
    }
  });

  describe("reads the window to compact in", () => {
    const windowOf = (test: TestContext, reported: Settings) => configured(test, reported).autoCompactWindow;

    it("between 100k and 1M from the environment, and reads its units", (test) => {
      const windowFor = (value: string) =>
        windowOf(test, { env: { CLAUDE_CODE_AUTO_COMPACT_WINDOW: value } });
      assert.equal(windowFor("250000"), 250_000);
      assert.deepEqual(
        ["200k", "500K", "1m", "0.5m", "50k"].map(windowFor),
        [200_000, 500_000, 1e6, 500_000, 100_000],
      );
      assert.equal(windowFor("9000000"), 1_000_000);
      for (const nothing of ["", "auto", "0", "-5", "NaN"]) assert.equal(windowFor(nothing), null, nothing);
    });

    it("for this model before the one for all models, whatever name the setting uses", (test) => {
      const own = (name: string) => ({
        user: { autoCompactWindow: 300_000, modelSettings: { [name]: { autoCompactWindow: 400_000 } } },
      });
      assert.equal(windowOf(test, own(sonnet)), 400_000);
      assert.equal(windowOf(test, own(`${sonnet}[1m]`)), 400_000);
      assert.equal(windowOf(test, own("claude-opus-4-8")), 300_000);
      assert.equal(windowOf(test, { ...own(sonnet), model: null }), 300_000);
    });

    it("of the environment before any setting, and of nearer settings before wider ones", (test) => {
      const user = { autoCompactWindow: 300_000 };
      const env = { CLAUDE_CODE_AUTO_COMPACT_WINDOW: "200000" };
      assert.equal(windowOf(test, { user, env }), 200_000);
      assert.equal(windowOf(test, { user, project: { autoCompactWindow: 250_000 } }), 250_000);
      assert.equal(windowOf(test, { user, local: { autoCompactWindow: "auto" } }), null);
    });
  });

  it("takes a percentage from 1 to 100 and whole tokens above 0", (test) => {
    const percent = (value: string) =>
      configured(test, { env: { CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: value } }).compactPercent;
    assert.deepEqual(["1", "100", "0", "101", "-1", "x"].map(percent), [1, 100, null, null, null, null]);
    const user = { env: { CLAUDE_CODE_MAX_CONTEXT_TOKENS: 64_000, CLAUDE_CODE_MAX_OUTPUT_TOKENS: "0" } };
    assert.equal(configured(test, { user }).maxContextTokens, 64_000);
    assert.equal(configured(test, { user }).maxOutputTokens, null);
  });

  it("ignores files that do not parse, and the parts that are wrong", (test) => {
    for (const user of ["", "{", "[]", "null", "\0", { env: 5 }, { env: [] }, { autoCompactWindow: "much" }])
      assert.deepEqual(configured(test, { user }), plain, JSON.stringify(user));
    const half = { autoCompactWindow: -1, autoCompactEnabled: false, modelSettings: { [sonnet]: 5 } };
    assert.deepEqual(configured(test, { user: half }), { ...plain, autoCompact: false });
  });

  it("ignores a session folder that is not an absolute path", (test) => {
    const scratch = new Scratch(test);
    const read = (cwd: string) => readSettings({ env: {}, root: scratch.folder, cwd, model: null });
    for (const cwd of ["", ".", "work", "\0", "/\0"]) assert.deepEqual(read(cwd), plain);
  });

  it("does not wait for a path that is not a file", (test) => {
    const scratch = new Scratch(test);
    mkdirSync(scratch.path("work/.claude/settings.json"), { recursive: true });
    if (!makeFifo(test, scratch.path("settings.json"))) {
      test.skip("this system has no FIFO");
      return;
    }
    const work = scratch.path("work");
    assert.deepEqual(readSettings({ env: {}, root: scratch.folder, cwd: work, model: null }), plain);
  });

  it("returns some configuration, whatever the file holds", (test) => {
    const scratch = new Scratch(test);
    const known = fc.constantFrom("env", "autoCompactEnabled", "autoCompactWindow", "modelSettings");
    fc.assert(
      fc.property(fc.dictionary(known, fc.jsonValue()), (content) => {
        scratch.write("settings.json", JSON.stringify(content));
        const config = readSettings({ env: {}, root: scratch.folder, cwd: null, model: sonnet });
        assert.equal(typeof config.autoCompact, "boolean");
        assert.ok(config.autoCompactWindow === null || config.autoCompactWindow > 0);
      }),
    );
  });
});
