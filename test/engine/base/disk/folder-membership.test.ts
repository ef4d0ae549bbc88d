import assert from "node:assert/strict";
import path from "node:path";
import fc from "fast-check";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, it, type TestContext } from "node:test";
import { belongsTo } from "../../../../src/engine/base/disk/folder-membership.ts";
import { isSamePath } from "../../../../src/engine/base/disk/same-path.ts";
import { Scratch } from "../../sessions/support/scratch.ts";
import { scratchFolder } from "../../support/scratch.ts";

const { platform } = process;

function isHere(cwd: string, ...folders: readonly string[]): boolean {
  return belongsTo(cwd, folders, { platform });
}

function isOn(where: NodeJS.Platform, cwd: string, ...folders: readonly string[]): boolean {
  return belongsTo(cwd, folders, { platform: where });
}

/** A real repository with one commit, and linked worktrees beside it. */
function repository(test: TestContext): { scratch: Scratch; git: (...args: readonly string[]) => void } {
  const scratch = new Scratch(test);
  mkdirSync(scratch.path("harbor/pier"), { recursive: true });
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "", GIT_CONFIG_NOSYSTEM: "1" };
  const git = (...args: readonly string[]) => {
    execFileSync("git", ["-c", "user.name=Dev", "-c", "user.email=dev@example.com", ...args], {
      cwd: scratch.path("harbor"),
      env,
      stdio: "pipe",
    });
  };
  git("init", "--quiet");
  git("commit", "--quiet", "--allow-empty", "--message", "Lay the keel");
  return { scratch, git };
}

describe("a session belongs to a window", () => {
  it("in one of its folders, or below it, and nowhere else", (test) => {
    const scratch = new Scratch(test);
    const harbor = scratch.path("harbor");
    assert.ok(isHere(harbor, harbor));
    assert.ok(isHere(`${harbor}${path.sep}`, harbor));
    assert.ok(isHere(path.join(harbor, "pier", "crane"), harbor));
    assert.ok(isHere(path.join(harbor, "..hidden"), harbor));
    assert.ok(!isHere(scratch.folder, harbor), "above it");
    assert.ok(!isHere(scratch.path("harbor-east"), harbor), "a name that begins alike");
    assert.ok(!isHere(path.join(harbor, "..", "other"), harbor));
    assert.ok(!isHere(harbor));
  });

  it("of several folders", (test) => {
    const scratch = new Scratch(test);
    const folders = [scratch.path("harbor"), scratch.path("mole")];
    assert.ok(isHere(scratch.path("mole", "lamp"), ...folders));
    assert.ok(!isHere(scratch.path("lamp"), ...folders));
  });

  it("through links, from either side", { skip: platform === "win32" }, (test) => {
    const scratch = new Scratch(test);
    mkdirSync(scratch.path("real/pier"), { recursive: true });
    symlinkSync(scratch.path("real"), scratch.path("link"));
    assert.ok(isHere(scratch.path("real/pier"), scratch.path("link")));
    assert.ok(isHere(scratch.path("link/pier"), scratch.path("real")));
    assert.ok(!isHere(scratch.path("link"), scratch.path("real/pier")));
    symlinkSync(scratch.path("ring"), scratch.path("ring"));
    assert.ok(
      isHere(scratch.path("ring"), scratch.path("ring")),
      "a link that leads nowhere goes by its name",
    );
  });

  it("by its place in the file system alone, when the folder is gone", () => {
    assert.ok(isHere(path.resolve("/gone/harbor/pier"), path.resolve("/gone/harbor")));
  });

  it("never for a path that is relative or invalid", (test) => {
    const scratch = new Scratch(test);
    const weird = ["", ".", "..", "harbor", "\0", `/${"x".repeat(5000)}`, "/\0"];
    for (const cwd of weird) assert.ok(!isHere(cwd, scratch.folder, process.cwd()), JSON.stringify(cwd));
    for (const folder of ["", "."]) assert.ok(!isHere(process.cwd(), folder));
  });
});

describe("a git worktree", () => {
  it("belongs to the window of its repository", (test) => {
    const { scratch, git } = repository(test);
    git("worktree", "add", "--quiet", scratch.path("elsewhere/feature"));
    mkdirSync(scratch.path("elsewhere/feature/deep"));
    assert.ok(isHere(scratch.path("elsewhere/feature"), scratch.path("harbor")));
    assert.ok(isHere(scratch.path("elsewhere/feature/deep"), scratch.path("harbor")));
    assert.ok(isHere(scratch.path("elsewhere/feature"), scratch.folder), "below a folder of the window");
    assert.ok(!isHere(scratch.path("elsewhere"), scratch.path("harbor")));
    assert.ok(!isHere(scratch.path("harbor"), scratch.path("elsewhere/feature")), "not the other way round");
    assert.ok(!isHere(scratch.path("elsewhere/feature"), scratch.path("harbor/pier")));
  });

  it("belongs there through links too", { skip: platform === "win32" }, (test) => {
    const { scratch, git } = repository(test);
    git("worktree", "add", "--quiet", scratch.path("feature"));
    mkdirSync(scratch.path("feature/deep"));
    symlinkSync(scratch.path("feature/deep"), scratch.path("shortcut"));
    symlinkSync(scratch.path("harbor"), scratch.path("haven"));
    assert.ok(isHere(scratch.path("shortcut"), scratch.path("haven")));
  });

  it("of a bare repository belongs to the folder that holds it", (test) => {
    const { scratch, git } = repository(test);
    git("clone", "--quiet", "--bare", ".", scratch.path("fleet/.bare"));
    git("-C", scratch.path("fleet/.bare"), "worktree", "add", "--quiet", scratch.path("far/feature"));
    assert.ok(isHere(scratch.path("far/feature"), scratch.path("fleet")));
    assert.ok(!isHere(scratch.path("far/feature"), scratch.path("harbor")));
  });

  it("that points to its repository by a relative path is found", (test) => {
    const scratch = new Scratch(test);
    scratch.write("feature/.git", "gitdir: ../harbor/.git/worktrees/feature\n");
    assert.ok(isHere(scratch.path("feature"), scratch.path("harbor")));
  });

  it("ignores a submodule, a separate repository, and a file without a worktree", (test) => {
    const scratch = new Scratch(test);
    scratch.write("sub/.git", "gitdir: ../harbor/.git/modules/sub\n");
    scratch.write("odd/.git", "what is this\n");
    scratch.write("large/.git", `gitdir: ../harbor/.git/worktrees/x\n${" ".repeat(20_000)}`);
    mkdirSync(scratch.path("own/.git"), { recursive: true });
    for (const name of ["sub", "odd", "large", "own"])
      assert.ok(!isHere(scratch.path(name), scratch.path("harbor")), name);
  });

  it("that cannot be read goes by its name", { skip: platform === "win32" }, (test) => {
    const scratch = new Scratch(test);
    const pointer = scratch.write("feature/.git", "gitdir: ../harbor/.git/worktrees/feature\n");
    chmodSync(pointer, 0);
    assert.doesNotThrow(() => isHere(scratch.path("feature"), scratch.path("harbor")));
    assert.ok(isHere(scratch.path("feature"), scratch.path("feature")));
  });
});

describe("names of folders", () => {
  it("are the same in either case on Windows and macOS, not on Linux", () => {
    assert.ok(isOn("win32", "c:\\Users\\Dev\\Harbor\\pier", "C:\\users\\dev\\harbor"));
    assert.ok(isOn("darwin", "/users/dev/Harbor", "/Users/dev/harbor"));
    assert.ok(!isOn("linux", "/users/dev/Harbor", "/users/dev/harbor"));
  });

  it("may be written with either slash on Windows, and lie on other drives and machines", () => {
    assert.ok(isOn("win32", "C:/Users/Dev/harbor/pier", "c:\\users\\dev\\HARBOR"));
    assert.ok(!isOn("win32", "D:\\harbor", "C:\\harbor"));
    assert.ok(!isOn("win32", "C:\\harbor-east", "C:\\harbor"));
    assert.ok(!isOn("win32", "C:\\other", "C:\\harbor"));
    assert.ok(isOn("win32", "\\\\server\\share\\Harbor\\x", "\\\\SERVER\\share\\harbor"));
    assert.ok(!isOn("win32", "harbor", "C:\\harbor"));
    assert.ok(isOn("win32", "D:\\harbor\\pier", "D:\\"));
  });

  it("may keep their accents apart on macOS", () => {
    assert.ok(isOn("darwin", "/Users/dev/ho\u0302tel/bar", "/Users/dev/h\u00F4tel"));
  });

  it("may be anything at all", () => {
    const where = fc.constantFrom<NodeJS.Platform>("linux", "darwin", "win32");
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { maxLength: 3 }), where, (cwd, folders, on) => {
        assert.equal(typeof isOn(on, cwd, ...folders), "boolean");
        assert.equal(typeof isOn(on, `/${cwd}`, ...folders.map((each) => `/${each}`)), "boolean");
      }),
    );
  });
});

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
