import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { execa } from "execa";
import * as z from "zod";
import { agentsCache, installAgent, npmInstall } from "../agents/install.ts";
import { childEnv } from "../engine/support/child-env.ts";
import { waitUntil } from "../engine/support/wait-until.ts";
import { repository } from "./repository.ts";

/** The oldest version that package.json names, and the newest of the line after it. The project's own Node is the third. */
const versions = ["20.19.0", "22.23.3"];
const dist = join(repository, "dist");
const recorded = join(repository, "test/recordings/2.1.332/subagents");

for (const version of versions)
  describe(`the built programs on Node ${version}`, () => {
    let node = "";
    let folder = "";
    before(async () => {
      const wanted = {
        wanted: `node@${version}`,
        folder: `node-${version}`,
        binary: join("node_modules", "node", "bin", process.platform === "win32" ? "node.exe" : "node"),
      };
      const installed = await installAgent(wanted, agentsCache(process.env, homedir()), (name, place) =>
        npmInstall(name, place, ["--ignore-scripts=false"]),
      );
      if (!installed.ok) throw new Error(installed.detail.text);
      node = installed.value;
      folder = await realpath(await mkdtemp(join(tmpdir(), "purser-node-")));
    });
    after(async () => {
      await run(node, ["cli.cjs", "service", "stop"]);
      // The service stores compiled code until it has ended.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    });

    const run = async (program: string, [file = "", ...args]: readonly string[], input = "") => {
      const { stdout } = await execa(program, [join(dist, file), ...args], {
        cwd: folder,
        input,
        extendEnv: false,
        env: {
          ...childEnv,
          HOME: folder,
          CLAUDE_CONFIG_DIR: recorded,
          PURSER_HOME: join(folder, ".purser"),
          PURSER_IDLE_MINUTES: "2",
        },
        timeout: 60_000,
      });
      return stdout;
    };

    it("read transcripts as the project's own Node does", async () => {
      const args = ["cli.cjs", "usage", "--json", "--by", "model"];
      const figures = z.object({ rows: z.array(z.looseObject({})).min(2), totals: z.looseObject({}) });
      const usage = async (program: string) => figures.parse(JSON.parse(await run(program, args)));
      assert.deepEqual(await usage(node), await usage(process.execPath));
    });

    it("start the service from a hook, and serve its ledger", async () => {
      const event = { session_id: "one", hook_event_name: "UserPromptSubmit", cwd: folder, prompt: "Fix it" };
      await run(node, ["hook.cjs", "--purser-hook=claude-code:UserPromptSubmit"], JSON.stringify(event));
      // A cold prompt does not wait for the service.
      await waitUntil(async () => /\d/u.test(await run(node, ["cli.cjs", "ledger", "status"])));
      assert.match(await run(node, ["cli.cjs", "service", "status"]), /running/iu);
      // Node 22.10 and newer read compiled code.
      assert.equal(existsSync(join(folder, ".purser/compiled")), Number(version.split(".")[0]) >= 22);
    });

    it("load the library", async () => {
      const library = pathToFileURL(join(dist, "budget.mjs")).href;
      const script = `import * as library from ${JSON.stringify(library)}; console.log(Object.keys(library).join());`;
      const { stdout } = await execa(node, ["--input-type=module", "--eval", script], {
        extendEnv: false,
        env: childEnv,
      });
      assert.notEqual(stdout, "");
    });
  });
