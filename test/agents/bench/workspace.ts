import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { freezeFixture } from "../../../src/engine/bench/fixture.ts";
import { manifestName } from "../../../src/engine/bench/suite/load-suite.ts";
import { childEnv } from "../../engine/support/child-env.ts";

/** A workspace with its own golden suite, in which the CLI measures an agent. */
export interface BenchWorkspace {
  readonly root: string;
  /** The folder that a window opens and trusts. */
  readonly folder: string;
  /** Scratch folder of the runs; empty once all have ended. */
  readonly scratch: string;
  /** purser's home folder, one for each simulated machine. */
  readonly homeOf: (machine: string) => string;
  /** Starts `purser` on a machine. */
  readonly purser: (machine: string, argv: readonly string[]) => ReturnType<typeof start>;
  /** Stops the services and removes everything. */
  remove(): Promise<void>;
}

const cli = path.join(import.meta.dirname, "../../../dist/cli.cjs");

function start(argv: readonly string[], cwd: string, env: Readonly<Record<string, string | undefined>>) {
  return execa(process.execPath, [cli, ...argv], {
    cwd,
    env,
    extendEnv: false,
    stdin: "ignore",
    reject: false,
    timeout: 100_000,
    killSignal: "SIGKILL",
  });
}

/** @param env variables that locate the agent and its API */
export async function makeBenchWorkspace(
  names: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<BenchWorkspace> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), "purser-workspace-")));
  const [workspace, scratch] = [path.join(root, "workspace"), path.join(root, "scratch")];
  await mkdir(scratch, { recursive: true });
  await writeGoldenSuite(workspace, names);

  const homeOf = (machine: string) => path.join(root, "homes", machine);
  const machines = new Set<string>();
  const environment = (machine: string) => ({
    ...childEnv,
    HOME: path.join(root, "user"),
    TMPDIR: scratch,
    ...env,
    PURSER_HOME: homeOf(machine),
  });
  const purser = (machine: string, argv: readonly string[]) => {
    machines.add(machine);
    return start(argv, workspace, environment(machine));
  };
  return {
    root,
    folder: workspace,
    scratch,
    homeOf,
    purser,
    async remove() {
      for (const machine of machines) await start(["service", "stop"], workspace, environment(machine));
      await rm(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** Writes a golden suite of an agent that writes words. @param folder of a workspace */
export async function writeGoldenSuite(folder: string, names: readonly string[]): Promise<void> {
  const golden = path.join(folder, ".purser", "golden");
  const write = async (file: string, text: string) => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, text);
  };
  for (const name of ["one", "two", "three"])
    await write(path.join(golden, "fixture", "src", `${name}.txt`), `${name}\n`);
  await write(
    path.join(golden, "agents", "backend.md"),
    "---\nname: backend\ndescription: Works on words\ntools: Read, Write, Bash\nmemory: user\n---\n\nYou write words.\n",
  );
  for (const name of names)
    await write(
      path.join(golden, "tasks", "backend", `${name}.md`),
      `---\nid: backend-${name}\nagent: backend\ntitle: Write ${name}\nprompt: Write done into src/${name}.txt\n` +
        `check: grep -q done src/${name}.txt\n---\n`,
    );
  await write(path.join(golden, "suite.json"), '{ "schema": 1, "fixture": "fixture" }\n');
  await freezeFixture(path.join(golden, "fixture"), path.join(golden, manifestName));
}

/** Environments of the processes started by runs below a folder; empty except on Linux. */
export async function processesBelow(folder: string): Promise<string[]> {
  if (process.platform !== "linux") return [];
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/u.test(name));
  const read = pids.map((pid) => readFile(`/proc/${pid}/environ`, "latin1").catch(() => ""));
  return (await Promise.all(read)).filter((environment) => environment.includes(`HOME=${folder}${path.sep}`));
}
