import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { after, beforeEach, describe, it } from "node:test";
import { makeChange } from "../../../../../src/engine/hooks/install/make-change.ts";
import { planInstall, planUninstall } from "../../../../../src/engine/hooks/install/plan-change.ts";
import { nodeSettingsDisk, readSettings } from "../../../../../src/engine/hooks/install/settings/disk.ts";
import { claudeHooks } from "../support/settings-files.ts";

const isPosix = process.platform !== "win32";

describe("a settings file on a real disk", { skip: !isPosix }, () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "purser-install-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, "settings.json");
  let count = 0;
  const ports = {
    disk: nodeSettingsDisk,
    records: path.join(folder, "home", "records"),
    unique: () => `u${++count}`,
  };
  beforeEach(() => {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
  });

  async function refusal(): Promise<string> {
    const read = await readSettings(file, nodeSettingsDisk);
    return read.ok ? "none" : read.reason;
  }

  async function installAndBack(hasSecret: boolean): Promise<void> {
    const hookFile = { program: "claude-code", scope: "user", file, choice: null } as const;
    const plan = await planInstall({ file: hookFile, wanted: claudeHooks(), hasSecret }, ports);
    assert.ok(plan.ok);
    assert.ok((await makeChange(plan.value, ports)).ok);
  }

  async function back(): Promise<void> {
    const plan = await planUninstall({ program: "claude-code", file }, ports);
    assert.ok(plan.ok && plan.value.isRestored);
    assert.ok((await makeChange(plan.value, ports)).ok);
  }

  it("is written to its link's target, and keeps its mode unless it holds the token", async () => {
    const target = path.join(folder, "dotfiles.json");
    for (const [hasSecret, mode] of [
      [false, 0o640],
      [true, 0o600],
    ] as const) {
      writeFileSync(target, "{}");
      chmodSync(target, 0o640);
      rmSync(file, { force: true });
      symlinkSync("dotfiles.json", file);
      await installAndBack(hasSecret);
      assert.ok(lstatSync(file).isSymbolicLink());
      assert.equal(statSync(target).mode & 0o777, mode);
      assert.match(readFileSync(target, "utf8"), /X-Purser-Hook/u);
      await back();
      assert.ok(lstatSync(file).isSymbolicLink());
      assert.equal(readFileSync(target, "utf8"), "{}");
      assert.equal(statSync(target).mode & 0o777, 0o640);
    }
  });

  it("is refused if invalid", async () => {
    symlinkSync("settings.json", file);
    assert.equal(await refusal(), "link_loop");
    rmSync(file);
    symlinkSync("nowhere", file);
    assert.equal(await refusal(), "not_a_file");
    rmSync(file);
    mkdirSync(file);
    assert.equal(await refusal(), "not_a_file");
    rmSync(file, { recursive: true });
    execFileSync("mkfifo", [file]);
    assert.equal(await refusal(), "not_a_file");
    rmSync(file);
    writeFileSync(file, "{}");
    linkSync(file, path.join(folder, "other"));
    assert.equal(await refusal(), "not_a_file");
    rmSync(path.join(folder, "other"));
    assert.equal(await refusal(), "none");
    writeFileSync(file, Buffer.alloc(5 * 1024 * 1024, " "));
    assert.equal(await refusal(), "too_large");
  });
});
