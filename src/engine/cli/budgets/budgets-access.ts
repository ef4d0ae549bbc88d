import { sentence, type Sentence } from "../../base/language.ts";
import { asLine } from "../terminal-text.ts";
import { existsSync } from "node:fs";
import path from "node:path";
import { namedByStart } from "../../rules/named-by-start.ts";
import { succeed, type Result } from "../../base/result.ts";
import { systemClock, systemNow } from "../../base/timing.ts";
import type { BudgetFailure } from "../../budgets/budget.ts";
import type { BudgetPorts } from "../../budgets/check.ts";
import { purserPaths, projectFolder } from "../../base/paths.ts";
import { noHistory, type RunHistory } from "../../budgets/projection.ts";
import { thisMachine } from "../../base/process.ts";
import { projectBudgets } from "../../budgets/feature.ts";
import type { SessionPlace } from "../../ledger/ledger-answers.ts";
import type { ServiceClient } from "../../service/client.ts";
import type { Requester } from "../../jobs/all-requests.ts";
import { quoted, type ParsedOptions, wrongUsage } from "../args.ts";
import type { CliHost } from "../cli-ports.ts";

export function budgetFolder(options: ParsedOptions, host: CliHost): string {
  return path.resolve(host.cwd, options.value("cwd") ?? "");
}

/** `history` is the basis for estimating a call's tokens. */
export function budgetPorts(folder: string, host: CliHost, history: RunHistory = noHistory): BudgetPorts {
  return projectBudgets(projectFolder(folder), {
    pid: host.pid,
    machine: thisMachine(),
    clock: host.now === systemNow ? systemClock : { now: host.now },
    history,
    apart: { folder: purserPaths(host).spending, isTrusted: null },
  });
}

/** Length of a complete ID of Claude Code and Codex. */
const wholeLength = 36;

/** Completes the start of a session's ID. An unknown ID stays as it is, since an agent may choose any. */
export async function withWholeSession(
  options: ParsedOptions,
  host: CliHost,
): Promise<Result<ParsedOptions, "bad_argument">> {
  const given = options.value("session");
  if (given === undefined || given.length >= wholeLength) return succeed(options);
  const { readLedger } = await import("../ledger/ledger-access.ts");
  const known = await readLedger(host, (ledger) => ledger.ask("sessionsNamed", given));
  const named = namedByStart((known.ok ? known.value : null) ?? [], given, ({ id }) => id);
  if (named.kind === "several")
    return wrongUsage(sentence("several sessions begin with {0}: give more of it", quoted(given)));
  if (named.kind === "none") return succeed(options);
  const { id } = named.item;
  return succeed({
    has: (name) => options.has(name),
    value: (name) => (name === "session" ? id : options.value(name)),
    values: (name) => (name === "session" ? [id] : options.values(name)),
  });
}

/** Returns the exit code: 2 for wrong usage. */
export function budgetFailed({ reason, detail }: BudgetFailure, host: Pick<CliHost, "stderr">): number {
  host.stderr.write(`purser budget: ${asLine(detail)}\n`);
  return reason === "invalid_id" || reason === "invalid" ? 2 : 1;
}

/** The service as `purser budget` uses it. Subcommands continue without it if it does not answer in time. */
export interface BudgetService extends Requester {
  /** Charges the folder's budgets with all usage so far. Returns what prevents that. */
  sync(folder: string): Promise<Sentence | null>;
  /** Where a session began, after reading the transcripts. Null for an unknown one. */
  whereSession(id: string): Promise<Result<SessionPlace | null>>;
}

/** Reading a ledger for the first time takes longer than anybody waits here. Milliseconds. */
const maxReadTime = 10_000;

/** Uses the running service, or starts one if current usage is needed. Passes null if there is none. */
export async function withService<Value>(
  host: CliHost,
  need: "running" | "started",
  act: (service: BudgetService | null) => Promise<Value>,
): Promise<Value> {
  const client = await clientFor(host, need);
  if (client === null) return await act(null);
  try {
    return await act(serviceOf(client, host));
  } finally {
    client.dispose();
  }
}

/** Loads the service's client only where a service is needed, or has left its record. */
async function clientFor(host: CliHost, need: "running" | "started"): Promise<ServiceClient | null> {
  if (need === "running" && !existsSync(purserPaths(host).record)) return null;
  const { servicePorts } = await import("../service/service-access.ts");
  const ports = { ...servicePorts(host), signal: host.signal };
  if (need === "running") {
    const { connectService } = await import("../../service/client.ts");
    const found = await connectService(ports);
    return found.ok ? found.value : null;
  }
  const { ensureService } = await import("../../service/ensure.ts");
  const started = await ensureService(ports);
  return started.ok ? started.value : null;
}

function serviceOf(client: ServiceClient, { signal }: CliHost): BudgetService {
  let reading: ReturnType<typeof client.ask<"catchUp">> | undefined;
  const catchUp = () =>
    (reading ??= client.ask("catchUp", {}, AbortSignal.any([signal, AbortSignal.timeout(maxReadTime)])));
  return {
    ask: (name, params, late) => client.ask(name, params, late),
    async whereSession(id) {
      await catchUp();
      const found = await client.ask("sessionPlace", { asked: id }, signal);
      return found.ok ? succeed(found.value.answer) : found;
    },
    async sync(folder) {
      const read = await catchUp();
      const synced = await client.ask("budgetsReckon", { folder }, signal);
      if (!synced.ok) return synced.detail;
      return read.ok
        ? null
        : sentence("transcripts are still being read; try again in a moment for complete figures");
    },
  };
}
