import { assert } from "../support/assert-texts.ts";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { SettingsStore } from "../../../src/engine/settings/settings-store.ts";
import { defaults } from "../../../src/engine/settings/shape.ts";
import { windowSettingsOf } from "../service/support/window-settings.ts";

const guarded = { ...defaults, guardFamilies: { safety: "on", secrets: "on", protect: "on" } };

describe("the settings that hold", () => {
  let folder = "";
  let now = 0;
  let problems: string[] = [];
  const home = () => ({
    settings: path.join(folder, "settings.json"),
    windowSettings: path.join(folder, "window-settings.json"),
  });
  const store = () =>
    new SettingsStore({
      home: home(),
      platform: process.platform,
      clock: { now: () => now },
      onProblem: (message) => problems.push(path.basename(message.text)),
    });
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "purser-settings-"));
    now = 10_000;
    problems = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("follow the user's file within a second, with a notice", () => {
    const kept = store();
    let changes = 0;
    kept.onChange(() => (changes += 1));
    assert.deepEqual(kept.now(), defaults);
    writeFileSync(home().settings, '\uFEFF{ "stopGate": "ask", // late\n "wrapUpAt": 45, }');
    now += 1000;
    assert.deepEqual([kept.now().stopGate, kept.of("/argo").wrapUpAt, changes], ["ask", 45, 1]);
    writeFileSync(home().settings, "{ half");
    now += 1000;
    assert.deepEqual(kept.now(), guarded);
    const reason =
      "line 1 is no JSON (InvalidSymbol); nothing of the file holds, and until it is corrected, guard rules on safety, secrets and protected files are on";
    assert.deepEqual(problems, [`settings.json: ${reason}`]);
    assert.deepEqual(kept.problems(), [{ path: home().settings, reason }]);
    rmSync(home().settings);
    now += 1000;
    assert.deepEqual([kept.now(), kept.problems()], [defaults, []]);
    assert.equal(kept.now(), kept.now(), "the same object while nothing changed");
  });

  it("are reported if one is wrong, or two are together, with the values used instead", () => {
    writeFileSync(home().settings, '{ "wrapUpAt": 20, "endTurnAt": 40, "compactAtTokens": 0 }');
    const kept = store();
    const own = [
      "compactAtTokens cannot be 0; it is ignored",
      "endTurnAt (40) must be below wrapUpAt (20); 50 is used for wrapUpAt and 40 for endTurnAt",
    ].map((reason) => ({ path: home().settings, reason }));
    assert.deepEqual(kept.problems(), own);
    assert.deepEqual([kept.now().wrapUpAt, kept.now().endTurnAt], [50, 40]);
    const window = windowSettingsOf({ wrapUpAt: 0.4 });
    kept.setWindowSettings({ ...window, folders: [{ path: folder, settings: { endTurnAt: 90 } }] });
    const reasons = [
      "wrapUpAt cannot be 0.4, as it is in percent; it is ignored",
      "endTurnAt (90) must be below wrapUpAt (20); 100 is used for wrapUpAt and 90 for endTurnAt",
    ].map((reason) => ({ path: home().windowSettings, reason }));
    assert.deepEqual(kept.problems(), [own[0], reasons[0], own[1], reasons[1]]);
    kept.setWindowSettings({ ...window, user: {}, folders: [{ path: folder, settings: {} }] });
    assert.deepEqual(kept.problems(), own, "the window has corrected its values");
  });

  it("prefer a window's values over the file, also after a restart of the service", () => {
    writeFileSync(home().settings, '{ "stopGate": "ask", "warnEveryCalls": 9 }');
    const kept = store();
    kept.setWindowSettings({
      ...windowSettingsOf({ stopGate: "advise" }),
      user: { stopGate: "advise", nonsense: 1 },
    });
    assert.equal(kept.now().stopGate, "advise");
    assert.equal(kept.now().warnEveryCalls, 9);
    assert.equal(problems.length, 1);
    assert.deepEqual(store().now(), kept.now());
    kept.setWindowSettings(windowSettingsOf({}));
    assert.equal(kept.now().stopGate, "ask");
    assert.equal(store().now().stopGate, "ask");
  });

  it("turn on protecting guard rules if the previous mode is unknown", () => {
    const texts = ["", "\0\0", "null", "[]", "7", '{ "guardMode": "on", ', '{ "guardMode": "off"'];
    for (const text of texts) {
      writeFileSync(home().settings, text);
      assert.deepEqual(store().now(), guarded, text);
    }
    rmSync(home().settings);
    mkdirSync(home().settings);
    assert.deepEqual(store().now(), guarded, "a folder");
    rmSync(home().settings, { recursive: true });
    symlinkSync("settings.json", home().settings);
    assert.deepEqual(store().now(), guarded, "a link to itself");
    for (const text of ["", "null", "[]", '{"schema":1,', '{"schema":2,"layers":[]}']) {
      rmSync(home().settings, { force: true });
      writeFileSync(home().windowSettings, text);
      assert.deepEqual(store().now(), guarded, text);
    }
  });

  it("apply a folder's own values in it, below it, by a link to it, or in its worktree", () => {
    const [work, deep, linked, tree] = ["work", "work/deep", "linked", "tree"].map((name) =>
      path.join(folder, name),
    );
    for (const file of [deep, tree, path.join(work ?? "", ".git/worktrees/tree")])
      mkdirSync(file ?? "", { recursive: true });
    symlinkSync(work ?? "", linked ?? "", "junction");
    writeFileSync(path.join(tree ?? "", ".git"), `gitdir: ${path.join(work ?? "", ".git/worktrees/tree")}\n`);
    const kept = store();
    kept.setWindowSettings(
      windowSettingsOf({ wrapUpAt: 10 }, { [work ?? ""]: { wrapUpAt: 30 }, [deep ?? ""]: { endTurnAt: 3 } }),
    );
    const held = (file: string | undefined) => {
      const { wrapUpAt, endTurnAt } = kept.of(file ?? null);
      return [wrapUpAt, endTurnAt];
    };
    assert.deepEqual(held(work), [30, 24]);
    assert.deepEqual(held(deep), [30, 3]);
    assert.deepEqual(held(linked), [30, 24]);
    assert.deepEqual(held(path.join(linked ?? "", "deep")), [30, 3]);
    assert.deepEqual(held(tree), [30, 24]);
    assert.deepEqual(held(folder), [10, 8]);
    assert.deepEqual(held(undefined), [10, 8]);
    assert.deepEqual(held("not/absolute"), [10, 8]);
    assert.equal(kept.of(folder), kept.now(), "the same settings are the same object");
    assert.deepEqual(store().of(deep ?? null), kept.of(deep ?? null));
  });

  it("work if the file of window settings is damaged, or cannot be written", () => {
    writeFileSync(home().windowSettings, '{"schema":1,"layers":[{"x":1}');
    const kept = store();
    assert.deepEqual(kept.now(), guarded);
    kept.setWindowSettings(windowSettingsOf({ wrapUpAt: 11 }));
    assert.deepEqual(kept.now().guardFamilies, {}, "the window has told its settings again");
    assert.equal(store().now().wrapUpAt, 11);
    const nowhere = new SettingsStore({
      home: { settings: home().settings, windowSettings: path.join(folder, "none", "w.json") },
      platform: process.platform,
      clock: { now: () => now },
      onProblem: (message) => problems.push(message.text),
    });
    nowhere.setWindowSettings(windowSettingsOf({ wrapUpAt: 12 }));
    assert.equal(nowhere.now().wrapUpAt, 12);
    assert.match(problems.at(-1) ?? "", /w\.json: ENOENT$/u);
  });

  it("are written for their owner only", { skip: process.platform === "win32" }, () => {
    store().setWindowSettings(windowSettingsOf({ wrapUpAt: 11 }));
    assert.match(readFileSync(home().windowSettings, "utf8"), /"wrapUpAt": 11/u);
    assert.equal(statSync(home().windowSettings).mode & 0o777, 0o600);
  });
});
