import assert from "node:assert/strict";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import path from "node:path";
import { it } from "node:test";
import { execa } from "execa";
import { parse } from "yaml";
import { z } from "zod";
import { childEnv } from "../engine/support/child-env.ts";
import { hostCache } from "../host/cache-folder.ts";
import { openGolden } from "./open.ts";

const root = path.resolve(import.meta.dirname, "../..");
const steps = z.array(z.object({ name: z.string().optional(), run: z.string().optional() }));
const workflow = z.object({
  jobs: z.object({
    shard: z.object({
      strategy: z.object({ matrix: z.object({ index: z.array(z.int()) }) }),
      steps,
    }),
    join: z.object({ steps }),
  }),
});

const purser = `"${process.execPath}" "${path.join(root, "src/engine/cli/main.ts")}"`;

function stepOf(found: z.infer<typeof steps>, name: string): string {
  const command = found.find((step) => step.name === name)?.run;
  assert.ok(command !== undefined, `the workflow has no step "${name}"`);
  // Runs the program from source; the build makes the CLI from the same file.
  assert.ok(command.startsWith("node dist/cli.cjs "), command);
  return command.replace(
    "node dist/cli.cjs",
    `"${process.execPath}" "${path.join(root, "src/engine/cli/main.ts")}"`,
  );
}

const { missing } = await openGolden();
const cache = path.join(hostCache(process.env, homedir()), "fixture");

/** Runs the workflow's own commands, each machine with its own home. */
it(
  "the workflow's example spreads the suite over machines and joins it to one bench",
  { skip: missing ?? false },
  async (t) => {
    const folder = await mkdtemp(path.join(tmpdir(), "purser-workflow-"));
    const homes: string[] = [];
    t.after(async () => {
      for (const home of homes) await play(`${purser} service stop`, folder, home);
      await rm(folder, { recursive: true, force: true });
    });
    const { jobs } = workflow.parse(
      parse(await readFile(path.join(root, ".github/workflows/bench.yml"), "utf8")),
    );
    const machine = async (name: string) => {
      const home = path.join(folder, name);
      await mkdir(home, { mode: 0o700 });
      // All share the fixture's dependencies.
      await symlink(cache, path.join(home, "fixture"));
      homes.push(home);
      return { home, run: (command: string) => play(command, folder, home) };
    };
    const measure = stepOf(jobs.shard.steps, "Measure").replace("--agent all", "--agent sql");
    for (const index of jobs.shard.strategy.matrix.index) {
      const { home, run } = await machine(`machine-${index}`);
      await run(measure.replace("${{ matrix.index }}", String(index)));
      await cp(path.join(home, "bench"), path.join(folder, "out", "shards"), { recursive: true });
    }
    assert.equal((await readdir(path.join(folder, "out", "shards"))).length, 3);
    const { home, run } = await machine("joined");
    const joined = await run(`${stepOf(jobs.join.steps, "Join")} --json`);
    const { runs, state } = z
      .object({ state: z.string(), runs: z.array(z.object({ taskId: z.string(), outcome: z.string() })) })
      .parse(JSON.parse(joined));
    assert.equal(state, "done");
    assert.equal(new Set(runs.map(({ taskId }) => taskId)).size, 4);
    assert.equal(runs.length, 4);
    assert.equal((await readdir(path.join(home, "bench"))).length, 1);
  },
);

async function play(command: string, cwd: string, home: string): Promise<string> {
  const { stdout } = await execa("sh", ["-c", command], {
    cwd,
    extendEnv: false,
    stdin: "ignore",
    timeout: 240_000,
    env: {
      ...childEnv,
      HOME: cwd,
      PURSER_HOME: home,
      PURSER_IDLE_MINUTES: "1",
    },
  });
  return stdout;
}
