import assert from "node:assert/strict";
import { fork } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { hookPrograms } from "../../../src/engine/hooks/program.ts";
import { hookScopes } from "../../../src/engine/hooks/install/settings/agent-file.ts";
import { makeChange } from "../../../src/engine/hooks/install/make-change.ts";
import { planWholeInstall } from "../../../src/engine/hooks/install/whole-plan.ts";
import { installContext } from "../../../src/engine/hooks/install/hooks-install-context.ts";
import { noteInstallation } from "../../../src/engine/hooks/install/other-people.ts";
import { childEnv } from "../support/child-env.ts";
import { ServiceSandbox, machine } from "./support/box.ts";

const source = fileURLToPath(new URL("../../../src/engine/service/uninstall-program.ts", import.meta.url));
let bundle = "";

/** An editor's extension folder with purser, as far as uninstalling reads it. */
function extension(box: ServiceSandbox, editor: string, version = "0.1.0"): string {
  const folder = path.join(box.folder, editor, "extensions", `context-purser.context-purser-${version}`);
  mkdirSync(path.join(folder, "dist"), { recursive: true });
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ version }));
  writeFileSync(path.join(folder, "dist", "hook.cjs"), "");
  writeFileSync(path.join(folder, "dist", "uninstall.cjs"), readFileSync(bundle));
  noteInstallation(box.home, folder);
  return folder;
}

async function install(
  box: ServiceSandbox,
  folder: string,
  project: string,
  onFailure: "open" | "closed" = "open",
): Promise<void> {
  const { env, folder: home } = box;
  const program = path.join(folder, "dist", "service.cjs");
  const run = () => Promise.resolve(null);
  const address = { port: 20_001, token: "a-token-of-some-length" };
  const wishes = { posting: "always", onFailure } as const;
  const context = installContext({ env, home, program, cwd: project, ...wishes, run }, address);
  for (const agent of hookPrograms)
    for (const scope of hookScopes) {
      const plan = await planWholeInstall({ program: agent, scope }, context, { statusLine: true });
      for (const change of plan.ok ? plan.value.changes : [])
        assert.ok((await makeChange(change, context)).ok);
    }
}

/** Runs the uninstall script as VS Code does on its next start after the extension was uninstalled. */
async function uninstall(box: ServiceSandbox, folder: string) {
  const child = fork(path.join(folder, "dist", "uninstall.cjs"), ["--type=extension-post-uninstall"], {
    silent: true,
    // Without any agent's variables.
    env: { ...childEnv, HOME: box.folder, PURSER_HOME: box.home.folder },
  });
  assert.ok(child.stdout && child.stderr);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const [code, out, complaint] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  assert.deepEqual([code, out, complaint], [0, "", ""]);
}

function startService(t: TestContext) {
  const box = new ServiceSandbox(t);
  const project = path.join(box.folder, "argo");
  mkdirSync(project);
  mkdirSync(box.root);
  mkdirSync(box.home.folder, { mode: 0o700 });
  const settings = path.join(box.root, "settings.json");
  const mine = '{\n\t"model": "opus", // mine\n\t"hooks": {}\n}\n';
  writeFileSync(settings, mine);
  return { box, project, settings, mine };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
}

describe("uninstalling the extension", { skip: process.platform === "win32" }, () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "purser-uninstall-"));
  before(async () => {
    bundle = path.join(folder, "uninstall.cjs");
    await build({
      entryPoints: [source],
      outfile: bundle,
      bundle: true,
      platform: "node",
      format: "cjs",
      define: { "import.meta.filename": "__filename" },
      alias: { "jsonc-parser": "jsonc-parser/lib/esm/main.js" },
    });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it("takes out all that was installed, byte for byte, with no service and no editor", async (t) => {
    const { box, project, settings, mine } = startService(t);
    const folder = extension(box, ".vscode");
    extension(box, ".vscode", "0.0.9");
    await install(box, folder, project);
    assert.ok(filesIn(project).length > 5 && readFileSync(settings, "utf8") !== mine);
    await uninstall(box, folder);
    assert.equal(readFileSync(settings, "utf8"), mine);
    assert.deepEqual(filesIn(box.root), ["settings.json"]);
    assert.deepEqual(filesIn(project), []);
    for (const agent of [".codex", ".copilot"]) assert.ok(!existsSync(path.join(box.folder, agent)), agent);
    assert.deepEqual(readdirSync(box.home.installedHooks), []);
    await uninstall(box, folder);
    assert.equal(readFileSync(settings, "utf8"), mine);
  });

  it("leaves no hook that denies calls which could not be judged", async (t) => {
    const { box, project, settings } = startService(t);
    writeFileSync(box.home.settings, '{ "guardFamilies": { "safety": "required" } }');
    const folder = extension(box, ".vscode");
    await install(box, folder, project, "closed");
    const installed = readFileSync(settings, "utf8");
    assert.match(installed, /"onFailure": ?"block"/u);
    // A person's own change since keeps the file from being restored as a whole.
    writeFileSync(settings, installed.replace('"opus"', '"sonnet"'));
    await uninstall(box, folder);
    const left = readFileSync(settings, "utf8");
    assert.match(left, /"sonnet", \/\/ mine/u);
    assert.doesNotMatch(left, /purser|block/u);
    assert.deepEqual(filesIn(project), []);
    assert.equal(existsSync(path.join(box.home.folder, "hook.sh")), false);
  });

  it("points hooks to another editor's purser if there is one, and removes them with that", async (t) => {
    const { box, project, settings, mine } = startService(t);
    const [one, other] = [extension(box, ".vscode"), extension(box, ".local/share/code-server")];
    await install(box, one, project);
    await uninstall(box, one);
    const names = process.platform === "win32" ? settings : path.join(box.home.folder, "hook.sh");
    const text = readFileSync(names, "utf8");
    assert.ok(text.includes(path.join(other, "dist", "hook.cjs")) && !text.includes(one));
    await uninstall(box, other);
    assert.equal(readFileSync(settings, "utf8"), mine);
    assert.deepEqual(filesIn(project), []);
  });

  it("leaves hooks of another purser as they are", async (t) => {
    const { box, project, settings } = startService(t);
    const [one, other] = [extension(box, ".vscode"), extension(box, ".vscode-insiders")];
    await install(box, other, project);
    const text = readFileSync(settings, "utf8");
    await uninstall(box, one);
    assert.equal(readFileSync(settings, "utf8"), text);
  });

  it("ends the service, which is no longer needed", async (t) => {
    const { box, project } = startService(t);
    const folder = extension(box, ".vscode");
    await install(box, folder, project);
    const { pid } = await box.client("0.1.0");
    await uninstall(box, folder);
    const deadline = performance.now() + 10_000;
    while (machine.isAlive(pid) && performance.now() < deadline)
      await new Promise((resolve) => setImmediate(resolve));
    assert.equal(machine.isAlive(pid), false);
  });

  it("does no harm if nothing was ever installed", async (t) => {
    const { box, settings, mine } = startService(t);
    await uninstall(box, extension(box, ".vscode"));
    assert.equal(readFileSync(settings, "utf8"), mine);
  });
});
