import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { execa } from "execa";
import * as z from "zod";
import { agentsCache, installAgent, npmInstall } from "../agents/install.ts";
import { childEnv } from "../engine/support/child-env.ts";
import { npm } from "./npm.ts";
import { repository } from "./repository.ts";

const manifest = z
  .object({ name: z.string(), version: z.string() })
  .parse(JSON.parse(await readFile(join(repository, "package.json"), "utf8")));
const tarball = join(repository, "out", `${manifest.name}-${manifest.version}.tgz`);
const recorded = join(repository, "test/recordings/2.1.332/subagents");

describe("the npm package, installed into an empty home without a network", () => {
  let home = "";
  before(async () => {
    home = await realpath(await mkdtemp(join(tmpdir(), "purser-npm-")));
    await writeFile(join(home, "package.json"), "{}");
    await npm(
      home,
      "install",
      "--offline",
      "--no-audit",
      "--no-fund",
      "--cache",
      join(home, "cache"),
      tarball,
    );
  });
  after(async () => {
    await purser(["service", "stop"]);
    await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });

  const installed = () => join(home, "node_modules", manifest.name);
  const purser = async (
    args: readonly string[],
    { node = process.execPath, env = {}, input = "", folder = installed() } = {},
  ) => {
    const { stdout } = await execa(node, [join(folder, "dist/cli.cjs"), ...args], {
      cwd: home,
      input,
      extendEnv: false,
      env: {
        ...childEnv,
        HOME: home,
        CLAUDE_CONFIG_DIR: recorded,
        PURSER_HOME: join(home, ".purser"),
        PURSER_IDLE_MINUTES: "2",
        ...env,
      },
      timeout: 60_000,
    });
    return stdout;
  };

  it("runs by npx", async () => {
    const { stdout } = await execa("npx", ["--offline", manifest.name, "--version"], {
      cwd: home,
      env: { HOME: home, npm_config_cache: join(home, "cache"), npm_config_update_notifier: "false" },
    });
    assert.equal(stdout.trim(), manifest.version);
  });

  it("has a manifest without what only an editor reads", async () => {
    const own = z
      .looseObject({})
      .parse(JSON.parse(await readFile(join(installed(), "package.json"), "utf8")));
    assert.deepEqual(
      ["contributes", "activationEvents", "devDependencies", "scripts", "private", "main"].filter(
        (name) => name in own,
      ),
      [],
    );
    assert.deepEqual(own["bin"], { purser: "dist/cli.cjs" });
    for (const name of ["repository", "bugs", "homepage", "license"]) assert.ok(name in own, name);
    for (const name of ["extension.cjs", "ledger-panel.js"])
      assert.equal(existsSync(join(installed(), "dist", name)), false, name);
  });

  for (const version of ["20.19.0", "22.23.3", "24"])
    it(`counts usage and shows the guide on Node ${version}`, async () => {
      const node = version === "24" ? process.execPath : await installNode(version);
      const usage = await purser(["usage", "--json", "--by", "model"], { node });
      assert.ok(z.object({ rows: z.array(z.unknown()) }).parse(JSON.parse(usage)).rows.length >= 2);
      assert.match(await purser(["help", "mcp"], { node }), /budget_check/u);
    });

  it("starts its service, and asks its ledger", async () => {
    await purser(["service", "start"]);
    assert.match(await purser(["service", "status"]), /running/iu);
    assert.match(await purser(["ledger", "status"]), /\d/u);
  });

  it("speaks German and Japanese as the extension's own copy does", async () => {
    const names = ["usage", "guard", "golden", "hooks"];
    for (const language of ["de", "ja"])
      for (const name of names) {
        const env = { PURSER_LANG: language };
        const own = await purser([name, "--help"], { env });
        assert.equal(own, await purser([name, "--help"], { env, folder: repository }), `${language} ${name}`);
        assert.notEqual(own, await purser([name, "--help"]));
      }
  });

  it("has the golden suite, whole", async () => {
    const list = await purser(["golden", "list", "--json"]);
    assert.ok(z.object({ tasks: z.array(z.unknown()) }).parse(JSON.parse(list)).tasks.length > 10);
  });

  it("answers over MCP", async () => {
    const lines = [
      {
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
      },
      { method: "notifications/initialized" },
      { id: 2, method: "tools/call", params: { name: "guard", arguments: { command: "rm -rf /" } } },
    ];
    const input = lines.map((line) => `${JSON.stringify({ jsonrpc: "2.0", ...line })}\n`).join("");
    // The answer of the second request may come after the end of the input.
    assert.match(await purser(["mcp"], { input }), /"serverInfo":\{"name":"context-purser"/u);
  });
});

async function installNode(version: string): Promise<string> {
  const wanted = {
    wanted: `node@${version}`,
    folder: `node-${version}`,
    binary: join("node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node"),
  };
  const installed = await installAgent(wanted, agentsCache(process.env, homedir()), (name, place) =>
    npmInstall(name, place, ["--ignore-scripts=false"]),
  );
  if (!installed.ok) throw new Error(installed.detail.text);
  return installed.value;
}
