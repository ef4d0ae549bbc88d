import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import { isSamePath } from "../../../../src/engine/base/disk/same-path.ts";
import { scratchFolder } from "../../support/scratch.ts";

describe("whether two paths lead to one place", { skip: process.platform === "win32" }, () => {
  it("follows links, of folders and of files, also to what is not there yet", (t) => {
    const folder = scratchFolder(t);
    const home = path.join(folder, "home");
    mkdirSync(path.join(home, ".claude"), { recursive: true });
    symlinkSync(home, path.join(folder, "link"));
    writeFileSync(path.join(home, ".claude", "settings.json"), "{}");
    symlinkSync(path.join(home, ".claude", "settings.json"), path.join(folder, "mine.json"));
    const same = (one: string, other: string) =>
      isSamePath(path.join(folder, one), path.join(folder, other), false);
    assert.ok(same("link/.claude", "home/.claude"));
    assert.ok(same("link/.codex/hooks.json", "home/.codex/hooks.json"));
    assert.ok(same("mine.json", "link/.claude/settings.json"));
    assert.ok(!same("home/.claude", "home"));
    assert.ok(!same("home/.codex", "home/.claude"));
    assert.ok(!same("none/.claude", "home/.claude"));
  });

  it("ignores case if the system does, and asks the system about existing files", (t) => {
    const folder = scratchFolder(t);
    mkdirSync(path.join(folder, "home"));
    const [one, other] = [path.join(folder, "home", ".Claude"), path.join(folder, "home", ".claude")];
    assert.ok(isSamePath(one, other, true));
    assert.ok(!isSamePath(one, other, false));
    mkdirSync(one);
    assert.ok(!isSamePath(one, other, true), "this system knows them apart");
  });

  it("is the same both ways, and comes to an end for any path", () => {
    const names = fc.array(fc.constantFrom("..", ".", "a", "\u0000", "", "/", "nobody"), { maxLength: 6 });
    fc.assert(
      fc.property(names, names, fc.boolean(), (one, other, isCaseless) => {
        const [first, second] = [`/${one.join("/")}`, `/${other.join("/")}`];
        assert.equal(isSamePath(first, second, isCaseless), isSamePath(second, first, isCaseless));
        assert.ok(isSamePath(first, first, isCaseless));
      }),
    );
  });
});
