import { printingSignal } from "../standard-output.ts";
import { plural, t } from "../../base/language.ts";
import { existsSync } from "node:fs";
import { isProcessAlive } from "../../base/process.ts";
import { findCompactions } from "../../sessions/learn.ts";
import type { LiveSnapshot } from "../../sessions/session-requests.ts";
import { purserPaths, belongsTo } from "../../base/paths.ts";
import { SessionSource, SessionView } from "../../sessions/live.ts";
import type { SessionSnapshot } from "../../sessions/snapshot.ts";
import { printedJson } from "../../base/text.ts";

import type { ServiceClient } from "../../service/client.ts";
import { sessionRoots } from "../../transcripts/agents.ts";
import { flag, folder, folderIn, option } from "../args.ts";
import { command } from "../command.ts";
import type { CliHost } from "../cli-ports.ts";
import type { CommandInput } from "../declaration.ts";
import { statusNotes, statusText } from "./print-sessions.ts";
import { settingsStore } from "../settings-access.ts";
import { styleFor } from "../style.ts";
import { checkOf, checkText, chosenSession } from "./self-check.ts";
import { sessionNames } from "./session-names.ts";
import { statusToJson } from "./sessions-outcome.ts";
import { asLine } from "../terminal-text.ts";

export const statusCommand = command({
  name: "status",
  title: "how full each live session's context is, and when it will be compacted",
  words: "[--cwd DIR] [--all] [--watch] [--json]",
  more: [{ words: "--session ID [--json]" }],
  options: {
    cwd: folder("only sessions in this folder, its subfolders, or a git worktree of it"),
    all: flag("also sessions of the last week that are not live"),
    session: option(
      "ID",
      "a session's id, or current",
      'figures of one session; the start of its ID is enough, and "current" is the session that runs this command. JSON has its own schema: media/schemas/check.schema.json',
      "sessions",
    ),
    watch: flag("keep running and update on every change, until interrupted"),
    json: flag("print JSON (schema: media/schemas/status.schema.json); with --watch, one line per update"),
  },
  notes: `
Context is what the last request put into the model's window. Costs are list prices, not what you were charged. Answers come from the
service if it runs, else transcripts are read directly.
`,
  run,
});

async function run({ options }: CommandInput, host: CliHost): Promise<number> {
  const request: StatusRequest = {
    folder: folderIn(options, "cwd", host.cwd),
    all: options.has("all"),
    isJson: options.has("json"),
  };
  const client = await connect(host);
  const session = options.value("session");
  try {
    if (session === undefined && !request.isJson) await notifyWaitingRules(client, host);
    if (session !== undefined) return printCheck(await readOnce(client, host), session, request, host);
    if (options.has("watch")) await watch(client, request, host);
    else print(await readOnce(client, host), request, host);
  } finally {
    client?.dispose();
  }
  return 0;
}

/** Returns the sessions of the last week, from the running service if there is one. */
export async function readSessions(host: CliHost): Promise<LiveSnapshot> {
  const client = await connect(host);
  try {
    return await readOnce(client, host);
  } finally {
    client?.dispose();
  }
}

/** Returns names of the last week's sessions, by id. `purser status` reports problems with their files. */
export async function namesOfSessions(host: CliHost): Promise<ReadonlyMap<string, string>> {
  const { sessions } = await readSessions({ ...host, stderr: { write: () => true } });
  return sessionNames(sessions, host.now());
}

async function readOnce(client: ServiceClient | null, host: CliHost): Promise<LiveSnapshot> {
  return (await readThrough(client)) ?? (await readHere(host));
}

/** Loads the service's client only where a service has left its record. */
async function connect(host: CliHost): Promise<ServiceClient | null> {
  if (!existsSync(purserPaths(host).record)) return null;
  const { readingClient } = await import("../service/service-access.ts");
  return await readingClient(host);
}

/** Milliseconds. */
const maxAsideTime = 1000;

/** Once a day. Not in a pipe, which nobody may read. */
async function notifyWaitingRules(client: ServiceClient | null, { stdout, stderr }: CliHost): Promise<void> {
  if (client === null || stdout.isTTY !== true) return;
  const reply = await client.ask("rulesNudge", {}, AbortSignal.timeout(maxAsideTime));
  if (reply.ok && reply.value.waiting > 0) stderr.write(`${nudge(reply.value.waiting)}\n`);
}

/** The text of the service's notice, translated. */
function nudge(waiting: number): string {
  return plural(
    waiting,
    t(
      "Context Purser: 1 rule for your agents waits for you: Review Rules in VS Code, or purser rules list in a terminal.",
    ),
    t(
      "Context Purser: {0} rules for your agents wait for you: Review Rules in VS Code, or purser rules list in a terminal.",
      waiting,
    ),
  );
}

/** Reading the files takes less. Milliseconds. */
const maxAnswerTime = 5000;

/** Null without an answer. */
async function readThrough(client: ServiceClient | null): Promise<LiveSnapshot | null> {
  if (client === null) return null;
  const timer = setTimeout(() => client.dispose(), maxAnswerTime);
  const reply = await client.ask("status", {});
  clearTimeout(timer);
  return reply.ok ? reply.value : null;
}

async function readHere(host: CliHost): Promise<LiveSnapshot> {
  const { source, view } = openView(host);
  try {
    return await view.readNow();
  } finally {
    view.dispose();
    source.dispose();
  }
}

interface StatusRequest {
  readonly folder: string | null;
  readonly all: boolean;
  readonly isJson: boolean;
}

function openView(host: CliHost) {
  const { env, home, now, scanWorker, stderr } = host;
  const roots = sessionRoots({ env, home });
  const clock = { now };
  const source = new SessionSource({
    roots,
    clock,
    isAlive: isProcessAlive,
    learn: () => findCompactions({ roots, now: now(), scanWorker }),
    onProblem: (message) => void stderr.write(`${message}\n`),
  });
  // Problems with the settings are among those that the view reports.
  const settings = settingsStore(host, () => undefined);
  const ports = { clock, settings, platform: process.platform };
  return { source, view: new SessionView(source, { env, folders: [] }, ports) };
}

function print(snapshot: LiveSnapshot, request: StatusRequest, host: CliHost): void {
  const sessions = wantedSessions(snapshot, request);
  if (request.isJson) {
    host.stdout.write(`${printedJson(statusToJson(snapshot, sessions), 2)}\n`);
    return;
  }
  host.stdout.write(statusText(snapshot, sessions, host));
  for (const note of statusNotes(snapshot, sessions, host.now())) host.stderr.write(`${note}\n`);
}

function printCheck(snapshot: LiveSnapshot, id: string, { isJson }: StatusRequest, host: CliHost): number {
  const session = chosenSession(snapshot, id, host);
  if (!session.ok) {
    host.stderr.write(`purser status: ${asLine(session.detail)}\n`);
    return 1;
  }
  const check = checkOf(session.value, host.now());
  host.stdout.write(isJson ? `${printedJson(check, 2)}\n` : checkText(check, styleFor(host)));
  return 0;
}

/** On a terminal the new table replaces the old one. */
async function watch(client: ServiceClient | null, request: StatusRequest, watched: CliHost): Promise<void> {
  const host: CliHost = { ...watched, signal: printingSignal(watched) };
  const clear = host.stdout.isTTY === true ? "\u001b[H\u001b[2J" : "";
  let last = "";
  let newest: LiveSnapshot | null = null;
  const show = (snapshot: LiveSnapshot) => {
    newest = snapshot;
    const sessions = wantedSessions(snapshot, request);
    const text = request.isJson
      ? `${printedJson(statusToJson(snapshot, sessions))}\n`
      : `${clear}${statusText(snapshot, sessions, host)}`;
    // A change may not affect anything that is shown.
    if (text !== last) host.stdout.write(text);
    last = text;
  };
  host.stdout.onResize?.(() => {
    if (newest !== null) show(newest);
  });
  if (client !== null) await watchThrough(client, show, host);
  if (!host.signal.aborted) await watchHere(show, host);
}

/** Resolves on an interruption, or when the service ends. */
async function watchThrough(
  client: ServiceClient,
  show: (snapshot: LiveSnapshot) => void,
  { signal }: CliHost,
): Promise<void> {
  const closed = new Promise<void>((resolve) => client.onClose(() => resolve()));
  client.on("snapshot", show);
  const subscribed = await client.ask("subscribe", {});
  if (subscribed.ok) await Promise.race([closed, interrupted(signal)]);
}

async function watchHere(show: (snapshot: LiveSnapshot) => void, host: CliHost): Promise<void> {
  const { source, view } = openView(host);
  try {
    view.follow(show);
    await source.follow();
    await interrupted(host.signal);
  } finally {
    view.dispose();
    source.dispose();
  }
}

function interrupted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function wantedSessions({ sessions }: LiveSnapshot, { folder, all }: StatusRequest): SessionSnapshot[] {
  return sessions.filter(
    ({ live, cwd, workingIn }) =>
      (live || all) &&
      (folder === null ||
        [cwd, workingIn].some(
          (other) => other !== null && belongsTo(other, [folder], { platform: process.platform }),
        )),
  );
}
