import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, it, type TestContext } from "node:test";
import { isSamePath } from "../../../../../src/engine/base/disk/same-path.ts";
import { hookPrograms } from "../../../../../src/engine/hooks/program.ts";
import { hookFile, hookScopes } from "../../../../../src/engine/hooks/install/settings/agent-file.ts";
import { installContext } from "../../../../../src/engine/hooks/install/hooks-install-context.ts";
import { scratchFolder } from "../../../support/scratch.ts";

const program = "/ext/dist/service.cjs";
const run = () => Promise.resolve(null);

function places(t: Pick<TestContext, "after">) {
  const folder = scratchFolder(t);
  const home = path.join(folder, "home");
  mkdirSync(path.join(home, ".claude"), { recursive: true });
  const found = (cwd: string | null, env: Record<string, string> = {}) => {
    const context = installContext({ env, home, program, cwd, posting: "auto", run }, null);
    return hookPrograms.flatMap((agent) =>
      hookScopes.flatMap((scope) => {
        const file = hookFile(agent, scope, context);
        return file.ok ? [`${scope} ${path.relative(folder, file.value.file)}`] : [];
      }),
    );
  };
  return { folder, home, found };
}

const ofTheUser = [
  "user home/.claude/settings.json",
  "user home/.codex/hooks.json",
  "user home/.copilot/hooks/purser.json",
  "user home/.gemini/settings.json",
];
const own = (file: string) => /home\/\.(?:claude|codex|copilot|gemini)\//u.test(file);

describe("the user's own settings are never a project's", { skip: process.platform === "win32" }, () => {
  it("without an open folder", (t) => {
    assert.deepEqual(places(t).found(null), ofTheUser);
  });

  it("if the home folder is open, under its own name or another", (t) => {
    const { folder, home, found } = places(t);
    symlinkSync(home, path.join(folder, "link"));
    for (const cwd of [home, path.join(folder, "link"), path.join(folder, "link", ".claude", "..")])
      assert.deepEqual(
        found(cwd).filter((line) => !line.startsWith("user") && own(line)),
        [],
        cwd,
      );
  });

  it("where the home folder is under version control, and a folder in it is open", (t) => {
    const { home, found } = places(t);
    mkdirSync(path.join(home, ".git"));
    mkdirSync(path.join(home, "notes"));
    assert.ok(found(path.join(home, "notes")).includes("project home/notes/.claude/settings.json"));
    assert.deepEqual(
      found(home).filter((line) => !line.startsWith("user") && own(line)),
      [],
    );
  });

  it("where the agent's folder was moved: into a project, or away from a home that is open", (t) => {
    const { folder, home, found } = places(t);
    const project = path.join(folder, "argo");
    mkdirSync(path.join(project, ".claude"), { recursive: true });
    const moved = found(project, { CLAUDE_CONFIG_DIR: path.join(project, ".claude") });
    assert.deepEqual(
      moved.filter((line) => line.includes(".claude")),
      ["user argo/.claude/settings.json"],
    );
    const away = found(home, { CLAUDE_CONFIG_DIR: path.join(folder, "else"), CODEX_HOME: "/x" });
    assert.deepEqual(
      away.filter((line) => own(line)),
      ["user home/.copilot/hooks/purser.json", "user home/.gemini/settings.json"],
    );
  });

  it("where a project's settings are a link to them", (t) => {
    const { folder, home, found } = places(t);
    const settings = path.join(home, ".claude", "settings.json");
    writeFileSync(settings, "{}");
    const project = path.join(folder, "argo");
    mkdirSync(path.join(project, ".claude"), { recursive: true });
    symlinkSync(settings, path.join(project, ".claude", "settings.json"));
    const claude = found(project).filter((line) => line.includes("argo/.claude"));
    assert.deepEqual(claude, ["local argo/.claude/settings.local.json"]);
  });

  it("and a project's are found in every other place", (t) => {
    const { folder, found } = places(t);
    const project = path.join(folder, "argo", "src");
    mkdirSync(project, { recursive: true });
    mkdirSync(path.join(folder, "argo", ".git"));
    assert.deepEqual(found(project), [
      "user home/.claude/settings.json",
      "project argo/.claude/settings.json",
      "local argo/.claude/settings.local.json",
      "user home/.codex/hooks.json",
      "project argo/.codex/hooks.json",
      "user home/.copilot/hooks/purser.json",
      "project argo/.github/hooks/purser.json",
      "user home/.gemini/settings.json",
      "project argo/.gemini/settings.json",
    ]);
    const file = hookFile("claude-code", "project", {
      env: {},
      home: folder,
      project: folder,
      isSame: isSamePath,
    });
    assert.ok(!file.ok && file.detail.text.includes("is your own"));
  });
});
