import path from "node:path";
import { sentence, type Sentence, plural, t } from "../../base/language.ts";
import { randomInt, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { succeed, fail, type Result } from "../../base/result.ts";
import { type RunRecorder, type BenchPorts } from "../../bench/bench-request.ts";
import { benchBudget, estimatePrice } from "../../bench/run-budget.ts";
import { type DriverPorts, type Driver, makeDriver, firstReadyDriver } from "../../bench/drivers.ts";
import { pendingInstall, prepareFixtureModules } from "../../bench/fixture.ts";
import { budgetPaths } from "../../budgets/budget.ts";
import type { GoldenBaseline } from "../../ledger/rule-questions.ts";
import { shimBeside } from "../../hooks/install.ts";
import { LastingService, runtimeFlags, runtimeVariables } from "../../service/launch.ts";
import { ensureService } from "../../service/ensure.ts";
import { serviceRunRecorder, type ServiceRunRecorder } from "../../jobs/measure-rules.ts";
import { purserPaths } from "../../base/paths.ts";
import { builtInCatalogue } from "../../usage/catalogue.ts";
import type { Receipt } from "../../verdict/receipt.ts";
import type { ParsedOptions } from "../args.ts";
import { budgetFolder, budgetPorts } from "../budgets/budgets-access.ts";
import type { CliHost } from "../cli-ports.ts";
import { servicePorts } from "../service/service-access.ts";
import { commandLine } from "../../base/process.ts";
import { asLine } from "../terminal-text.ts";
import type { DriverName } from "../../bench/run-facts.ts";
import type { Suite } from "../../bench/suite.ts";

export function benchPaths(host: Pick<CliHost, "env" | "home">): { benches: string; modules: string } {
  const { folder } = purserPaths(host);
  return { benches: path.join(folder, "bench"), modules: path.join(folder, "fixture") };
}

export function driverPorts({ env, home, now, scratch, service }: CliHost): DriverPorts {
  return { env, userHome: home, clock: { now }, scratch, pace: 0, guards: guardHost(service) };
}

/** The service that a run with guards starts for itself. */
export function guardHost({
  program,
  execPath,
  isElectron,
}: CliHost["service"]): NonNullable<DriverPorts["guards"]> {
  return {
    file: execPath,
    args: [...runtimeFlags, program],
    env: { ...runtimeVariables, ...(isElectron ? { ELECTRON_RUN_AS_NODE: "1" } : {}) },
    shim: shimBeside(program),
  };
}

export function drawSeed(): number {
  return randomInt(1_000_000_000);
}

export interface BenchContext {
  readonly ports: BenchPorts;
  /** Empty if the ledger cannot be read. */
  readonly baselines: () => Promise<readonly GoldenBaseline[]>;
  /** Records a comparison in the ledger; prints a message when that fails. */
  readonly settled: (receipt: Receipt) => Promise<void>;
  /** Records missing runs again; returns how many the ledger still lacks. */
  readonly left: () => Promise<number>;
  readonly dispose: () => void;
}

/** Runs are recorded in the service's ledger. Without a service the bench continues, and says so. */
export async function openBenchContext(
  driver: Driver,
  options: ParsedOptions,
  host: CliHost,
): Promise<BenchContext> {
  const clock = { now: host.now };
  const { benches, modules } = benchPaths(host);
  const warn = (message: Sentence) => host.stderr.write(`purser bench: ${asLine(message)}\n`);
  const connect = () => ensureService({ ...servicePorts(host), signal: host.signal });
  const found = await connect();
  if (!found.ok) warn(sentence("these runs are not recorded in the ledger for now: {0}", found.detail));
  const client = found.ok ? succeed(new LastingService(found.value, { connect, clock })) : found;
  const ledgerRecorder = client.ok
    ? serviceRunRecorder(client.value, { clock, onProblem: warn })
    : withoutLedger();
  const budgets = budgetPorts(budgetFolder(options, host), host);
  const isLimited = existsSync(budgetPaths(budgets.project).budgets);
  const budget = benchBudget(budgets);
  const recorder: RunRecorder = {
    ...ledgerRecorder,
    async record(run, title) {
      await ledgerRecorder.record(run, title);
      const problem = isLimited ? await budget.used(run) : null;
      if (problem !== null)
        warn(sentence("{0} was not counted in the project's budget: {1}", run.id, problem));
    },
  };
  const ports: BenchPorts = {
    clock,
    pid: host.pid,
    machine: servicePorts(host).machine,
    unique: randomUUID,
    folder: benches,
    scratch: host.scratch,
    driver,
    recorder,
    env: host.env,
    mayRun: isLimited ? budget.mayRun : () => Promise.resolve({ allowed: true }),
    modules: (fixture, signal) =>
      prepareFixtureModules(fixture, {
        cache: modules,
        env: host.env,
        signal,
        clock,
        onDamage: warn,
        onProgress: ({ fetched, packages }) => {
          if (host.stderr.isTTY === true)
            host.stderr.write(
              `\r\u001b[K${t("Installing the test project's dependencies: {0} of {1}", fetched, packages)}`,
            );
        },
      }),
    pendingInstall: (fixture) => pendingInstall(fixture, modules),
    price: (model, tokens) => estimatePrice(model, tokens, builtInCatalogue),
  };
  const baselines = async () => {
    const answer = client.ok ? await client.value.ask("goldenBook", { asked: host.now() }) : client;
    return answer.ok ? answer.value.answer.baselines : [];
  };
  const settled = async (receipt: Receipt) => {
    const answer = client.ok
      ? await client.value.ask("comparisonRecord", { receipt: JSON.stringify(receipt) })
      : succeed({});
    if (!answer.ok) warn(sentence("this comparison was not recorded in the ledger: {0}", answer.detail));
  };
  return {
    ports,
    baselines,
    settled,
    left: () => ledgerRecorder.left(),
    dispose: () => client.ok && client.value.dispose(),
  };
}

/**
 * Reports runs that the ledger lacks, and what adds them. The same command continues an open measurement. After a finished one it would start
 * another, so a new service adds its runs.
 */
export async function sayLeft(
  { left }: Pick<BenchContext, "left">,
  { command, isOpen }: { readonly command: string; readonly isOpen: boolean },
  { stderr, words = [command] }: Pick<CliHost, "stderr" | "words">,
): Promise<void> {
  const again = commandLine(["purser", ...words], process.platform);
  sayUnrecorded(await left(), { command, how: isOpen ? again : "purser service restart" }, stderr);
}

export function sayUnrecorded(
  runs: number,
  { command, how }: { readonly command: string; readonly how: string },
  stderr: CliHost["stderr"],
): void {
  if (runs === 0) return;
  stderr.write(
    `purser ${command}: ${plural(runs, t("1 run is not in the ledger; {0} adds it", how), t("{0} runs are not in the ledger; {1} adds them", runs, how))}\n`,
  );
}

function withoutLedger(): ServiceRunRecorder {
  const made = new Set<string>();
  return {
    record: ({ id }) => {
      made.add(id);
      return Promise.resolve();
    },
    left: () => Promise.resolve(made.size),
    expected: () => Promise.resolve(null),
    week: () => Promise.resolve(null),
  };
}

const tryingWords = t(
  "To try it with recordings, add --driver replay (a demo; it says nothing about a model)",
);

/** The requested driver, else the first agent that is ready. Recordings are replayed only on request. */
export async function chooseDriver(
  wanted: DriverName | null,
  suite: Pick<Suite, "folder">,
  host: CliHost,
): Promise<Result<Driver>> {
  const ports = driverPorts(host);
  if (wanted === null) {
    const first = await firstReadyDriver(suite, ports);
    return first.ok
      ? first
      : fail(first.reason, sentence("no agent is ready. {0}. {1}", asLine(first.detail), tryingWords));
  }
  const made = await makeDriver(wanted, suite, ports);
  if (!made.ok) return made;
  const ready = await made.value.ready();
  return ready.ok ? succeed(made.value) : ready;
}
