import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { purserPaths } from "../../../src/engine/base/disk/home.ts";
import { ownerSchema } from "../../../src/engine/base/lock.ts";
import { isProcessAlive } from "../../../src/engine/base/process/system-commands.ts";
import { parseJson } from "../../../src/engine/base/parse.ts";
import { thisMachine } from "../../../src/engine/base/process/machine.ts";
import { systemClock } from "../../../src/engine/base/timing.ts";
import type { JobView } from "../../../src/engine/jobs/bench-answers.ts";
import { benchEnvironment } from "../../../src/extension/service/job-environment.ts";
import { connectService } from "../../../src/engine/service/client.ts";
import { processesBelow, type BenchWorkspace } from "./workspace.ts";

const machine = "window";

export type Client = Awaited<ReturnType<Window["connect"]>>;

export interface WindowOptions {
  readonly workspace: BenchWorkspace;
  /** The agent's program. */
  readonly program: string;
  /** The stand-in of its API. */
  readonly url: string;
  /** Milliseconds for a job to come to where a test waits for it. */
  readonly patience: number;
}

/** A window's side of a service of its own: it asks for jobs, and can kill what runs them. */
export class Window {
  /** Claude Code's configuration folder. */
  readonly root: string;
  readonly #options: WindowOptions;
  readonly #bin: string;

  constructor(options: WindowOptions) {
    this.#options = options;
    this.root = path.join(options.workspace.root, "claude");
    this.#bin = path.join(options.workspace.root, "bin");
  }

  /** Puts the agent where the service finds it the way a window does: on its PATH. */
  async installAgent(): Promise<void> {
    await mkdir(this.#bin);
    await symlink(this.#options.program, path.join(this.#bin, "claude"));
  }

  /** The window's environment. */
  get env(): Record<string, string> {
    return benchEnvironment({
      PATH: [this.#bin, process.env["PATH"]].join(path.delimiter),
      ANTHROPIC_BASE_URL: this.#options.url,
      ANTHROPIC_API_KEY: "dummy",
      CLAUDE_CONFIG_DIR: this.root,
      CLAUDE_CODE_MAX_RETRIES: "0",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    });
  }

  /** Starts the service, or another one after it was killed. */
  async connect() {
    await this.#options.workspace.purser(machine, ["service", "restart"]);
    const found = await connectService({
      home: purserPaths({ env: { PURSER_HOME: this.home }, home: this.#options.workspace.root }),
      machine: thisMachine(),
      clock: systemClock,
      version: "0.0.0",
      onProblem: (message) => assert.fail(message),
    });
    assert.ok(found.ok, found.ok ? "" : found.detail.text);
    return found.value;
  }

  /** purser's home folder. */
  get home(): string {
    return this.#options.workspace.homeOf(machine);
  }

  /** Folder of the benches. */
  get benches(): string {
    return path.join(this.home, "bench");
  }

  /** Counts the runs that passed and are stored. */
  passedRuns(): number {
    const texts = namesIn(this.benches).map((name) =>
      readIfThere(path.join(this.benches, name, "runs.ndjson")),
    );
    return texts.join("").split('"outcome":"passed"').length - 1;
  }

  async until(client: Client, id: string, isThere: (view: JobView) => boolean): Promise<JobView> {
    const end = Date.now() + this.#options.patience;
    for (;;) {
      const read = await client.ask("benchRead", { id });
      assert.ok(read.ok, read.ok ? "" : read.detail.text);
      const { view } = read.value;
      assert.ok(view !== null, `there is no ${id}`);
      if (isThere(view)) return view;
      const log = () => readIfThere(path.join(this.home, "service.log"));
      assert.ok(Date.now() < end, `${JSON.stringify(view.state)}, ${view.runs.length} runs\n${log()}`);
      await sleep(50);
    }
  }

  async killService(): Promise<void> {
    const record = await readFile(path.join(this.home, "service.json"), "utf8");
    process.kill(Number(/"pid": ?(\d+)/u.exec(record)?.[1]), "SIGKILL");
  }

  /** Kills the process that holds the lock of the bench under way. */
  killWorker(): void {
    const locks = namesIn(this.benches).flatMap((name) => {
      const folder = path.join(this.benches, name);
      return namesIn(folder).flatMap((file) => (file.endsWith(".lock") ? [path.join(folder, file)] : []));
    });
    const holders = locks.flatMap((file) => {
      const owner = ownerSchema.safeParse(parseJson(readIfThere(file)));
      return owner.success && isProcessAlive(owner.data.pid) ? [owner.data.pid] : [];
    });
    const [pid] = holders;
    assert.ok(pid !== undefined && holders.length === 1, `${holders.length} benches are under way`);
    process.kill(pid, "SIGKILL");
  }

  /** Folders and processes that runs left behind. */
  async leftovers(): Promise<string[]> {
    const { scratch } = this.#options.workspace;
    const folders = (await readdir(scratch)).filter((name) => name.startsWith("purser-bench-"));
    return [...folders, ...(await processesBelow(scratch))];
  }
}

/** Names in a folder; none without one. */
function namesIn(folder: string): string[] {
  return existsSync(folder) && statSync(folder).isDirectory() ? readdirSync(folder) : [];
}

/** Empty without such a file. */
function readIfThere(file: string): string {
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}
