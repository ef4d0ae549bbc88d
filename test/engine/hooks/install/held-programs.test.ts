import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { heldPrograms } from "../../../../src/engine/hooks/install/other-people.ts";
import { Scratch } from "../../cli/support/support.ts";

describe("the agents that a budget can hold", () => {
  let scratch: Scratch;
  let project: string;
  beforeEach(() => {
    scratch = new Scratch();
    project = path.join(scratch.root, "argo");
    mkdirSync(path.join(project, ".git"), { recursive: true });
    const home = path.join(scratch.root, ".purser");
    mkdirSync(home, { mode: 0o700 });
    writeFileSync(path.join(home, "hooks.json"), JSON.stringify({ port: 41_234, token: "t" }), {
      mode: 0o600,
    });
  });
  afterEach(() => scratch.dispose());

  const held = (of = project) => heldPrograms(of, { env: {}, home: scratch.root });
  async function hooks(...argv: string[]): Promise<void> {
    const { code, stderr } = await scratch.purser(["hooks", ...argv, "--yes"], { env: {}, cwd: project });
    assert.equal(code, 0, stderr);
  }

  for (const agent of ["claude", "codex", "copilot"] as const)
    it(`are those with installed hooks, until they are removed: ${agent}`, async () => {
      assert.deepEqual(held(), []);
      await hooks("install", "--agent", agent);
      const [name] = held();
      assert.ok(name?.startsWith(agent));
      assert.deepEqual(held().length, 1);
      assert.deepEqual(
        held(path.join(scratch.root, "other")),
        held(),
        "the user's own hooks hold everywhere",
      );
      await hooks("uninstall", "--agent", agent);
      assert.deepEqual(held(), []);
    });

  it("are a project's own if its hooks are in the project", async () => {
    await hooks("install", "--agent", "claude", "--scope", "local");
    assert.deepEqual(held(), ["claude-code"]);
    assert.deepEqual(held(path.join(scratch.root, "other")), []);
  });

  it("exclude others' hooks, and a folder or a broken link in a file's place", () => {
    const settings = path.join(scratch.root, ".claude", "settings.json");
    mkdirSync(path.join(scratch.root, ".claude"));
    writeFileSync(
      settings,
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "true" }] }] } }),
    );
    mkdirSync(path.join(scratch.root, ".codex", "hooks.json"), { recursive: true });
    mkdirSync(path.join(project, ".claude"));
    // On Windows only some users may create links.
    if (process.platform !== "win32") symlinkSync("/nowhere", path.join(project, ".claude", "settings.json"));
    assert.deepEqual(held(), []);
  });
});
