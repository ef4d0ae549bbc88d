import path from "node:path";
import { isProcessAlive } from "../base/process-alive.ts";
import { findCompactions } from "../context/learn.ts";
import { Monitor, type LiveSnapshot } from "../context/monitor.ts";
import { belongsTo } from "../context/place.ts";
import { defaultSettings } from "../context/settings.ts";
import type { SessionSnapshot } from "../context/snapshot.ts";
import { claudeRoots } from "../transcripts/claude/roots.ts";
import { parseOptions } from "./args.ts";
import type { CliHost, Command } from "./cli-host.ts";
import { statusNotes, statusText } from "./print-status.ts";
import { statusToJson } from "./status-outcome.ts";

const help = `purser status: how full the context of every live session is, and when it will be compacted

  purser status [--cwd DIR] [--all] [--watch] [--json]

  --cwd DIR  only sessions that work in this folder, below it, or in a git worktree of it
  --all      also sessions of the last week that are not live
  --watch    go on, and print anew whenever something changed, until interrupted
  --json     print JSON; its shape is in media/schemas/status.schema.json; with --watch one line each time
  --help     print this

Context is what the last request put into the window. Costs are list prices, not what was charged.
`;

const specs = { cwd: { value: "a folder" }, all: {}, watch: {}, json: {}, help: {} };

export const statusCommand: Command = { help, run };

async function run(argv: readonly string[], host: CliHost): Promise<number> {
  const options = parseOptions(argv, specs);
  if (!options.ok) {
    host.stderr.write(`purser status: ${options.detail}\n`);
    return 2;
  }
  if (options.value.has("help")) {
    host.stdout.write(help);
    return 0;
  }
  const folder = options.value.value("cwd");
  const request: StatusRequest = {
    folder: folder === undefined ? null : path.resolve(host.cwd, folder),
    all: options.value.has("all"),
    isJson: options.value.has("json"),
  };
  const monitor = newMonitor(host);
  try {
    if (options.value.has("watch")) await watch(monitor, request, host);
    else print(await monitor.readOnce(), request, host);
  } finally {
    monitor.dispose();
  }
  return 0;
}

interface StatusRequest {
  readonly folder: string | null;
  readonly all: boolean;
  readonly isJson: boolean;
}

function newMonitor({ env, home, now, scanWorker }: CliHost): Monitor {
  const roots = claudeRoots({ env, home });
  return new Monitor(
    {
      env,
      roots,
      platform: process.platform,
      clock: { now },
      isAlive: isProcessAlive,
      learn: () => findCompactions({ roots, scanWorker }),
    },
    defaultSettings,
  );
}

function print(snapshot: LiveSnapshot, request: StatusRequest, host: CliHost): void {
  const sessions = asked(snapshot, request);
  if (request.isJson) {
    host.stdout.write(`${JSON.stringify(statusToJson(snapshot, sessions), null, 2)}\n`);
    return;
  }
  host.stdout.write(statusText(snapshot, sessions, host));
  for (const note of statusNotes(snapshot, sessions)) host.stderr.write(`${note}\n`);
}

/** Prints at every change until the user interrupts. On a terminal the new table replaces the old one. */
async function watch(monitor: Monitor, request: StatusRequest, host: CliHost): Promise<void> {
  const clear = host.stdout.isTTY === true ? "\u001b[H\u001b[2J" : "";
  monitor.onChange((snapshot) => {
    const sessions = asked(snapshot, request);
    host.stdout.write(
      request.isJson
        ? `${JSON.stringify(statusToJson(snapshot, sessions))}\n`
        : `${clear}${statusText(snapshot, sessions, host)}`,
    );
  });
  await monitor.start();
  await interrupted(host.signal);
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function asked({ sessions }: LiveSnapshot, { folder, all }: StatusRequest): SessionSnapshot[] {
  return sessions.filter(
    ({ live, cwd, workingIn }) =>
      (live || all) &&
      (folder === null ||
        [cwd, workingIn].some(
          (place) => place !== null && belongsTo(place, [folder], { platform: process.platform }),
        )),
  );
}
