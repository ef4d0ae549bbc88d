import { sentence, t } from "../../base/language.ts";
import { fail } from "../../base/result.ts";
import type { Done } from "../declaration.ts";
import { printingSignal } from "../standard-output.ts";
import { setTimeout as pause } from "node:timers/promises";
import { cleanText, printedJson } from "../../base/text.ts";
import { ensureService, type StarterPorts } from "../../service/ensure.ts";
import { findService } from "../../service/launch.ts";
import { connectService } from "../../service/client.ts";
import { FileTail } from "../../transcripts/file-tail.ts";
import { flag, jsonOf, type ParsedOptions } from "../args.ts";
import { command } from "../command.ts";
import type { CliHost } from "../cli-ports.ts";
import { servicePorts } from "./service-access.ts";
import { printService, serviceToJson, type ServiceOutcome } from "./service-outcome.ts";
import { asLine } from "../terminal-text.ts";

export const serviceCommand = command({
  name: "service",
  title: "the background process that all windows and terminals share",
  options: {
    force: flag("also stop a service that does not answer"),
    follow: flag("keep printing new lines, until interrupted"),
    json: jsonOf("service"),
  },
  subcommands: {
    status: {
      words: "[--json]",
      does: "process, version, clients and memory; does not start it",
      takes: ["json"],
      run: ({ options }, host) => status(options, host),
    },
    start: {
      does: "start it, or replace an older version; it keeps running when this terminal closes",
      run: (_, host) => start(host),
    },
    stop: {
      words: "[--force]",
      does: "stop it",
      takes: ["force"],
      run: ({ options }, host) => stop(options, host),
    },
    restart: {
      words: "[--force]",
      does: "stop it and start it again",
      takes: ["force"],
      run: ({ options }, host) => restart(options, host),
    },
    logs: {
      words: "[--follow]",
      does: "print its log",
      takes: ["follow"],
      run: ({ options }, host) => logs(options, host),
    },
  },
  notes: `
The service starts when a window, a terminal or a hook needs it, and ends after half an hour without use (PURSER_IDLE_MINUTES).
Its files are in ~/.purser (PURSER_HOME).
`,
});

async function status(options: ParsedOptions, host: CliHost): Promise<Done> {
  const outcome = await ask(servicePorts(host));
  if (options.has("json")) host.stdout.write(`${printedJson(serviceToJson(outcome, host.now()), 2)}\n`);
  else printService(outcome, host);
  return 0;
}

async function ask(ports: StarterPorts): Promise<ServiceOutcome> {
  const home = ports.home.folder;
  const found = await connectService(ports);
  if (!found.ok) return { home, description: null, failure: found };
  const reply = await found.value.ask("describe", {});
  found.value.dispose();
  return reply.ok
    ? { home, description: reply.value, failure: null }
    : { home, description: null, failure: { reason: "unresponsive", detail: reply.detail } };
}

/** Milliseconds. */
const maxStopTime = 15_000;

async function stop(options: ParsedOptions, host: CliHost): Promise<Done> {
  const ports = servicePorts(host);
  const found = await connectService(ports);
  if (found.ok) {
    const { pid } = found.value;
    const isEnded = await found.value.shutdown("asked", maxStopTime);
    found.value.dispose();
    if (isEnded) return printLine(host, t("Stopped process {0}", pid));
  } else if (found.reason === "not_running") return printLine(host, t("The service is not running"));
  if (!options.has("force"))
    return fail(
      "failed",
      sentence(
        "{0}; --force stops it anyway",
        found.ok ? t("it did not stop in time") : asLine(found.detail),
      ),
    );
  return await end(ports, host);
}

/** Kills the service without asking it: what it acknowledged is already on disk. */
async function end(ports: StarterPorts, host: CliHost): Promise<Done> {
  const service = findService(ports);
  if (!service.ok) return service;
  process.kill(service.value, "SIGKILL");
  const deadline = performance.now() + maxStopTime;
  while (ports.machine.isAlive(service.value) && performance.now() < deadline) await pause(20);
  return printLine(host, t("Stopped process {0}", service.value));
}

async function start(host: CliHost): Promise<Done> {
  const ports = servicePorts(host);
  const before = await connectService(ports);
  if (before.ok) before.value.dispose();
  const started = await ensureService({ ...ports, signal: host.signal });
  if (!started.ok) return started;
  const { pid, version } = started.value;
  started.value.dispose();
  const isRunning = before.ok && before.value.pid === pid;
  return printLine(
    host,
    isRunning
      ? t("purser {0} is already running as process {1}", version, pid)
      : t("purser {0} is running as process {1}", version, pid),
  );
}

async function restart(options: ParsedOptions, host: CliHost): Promise<Done> {
  const code = await stop(options, host);
  if (code !== 0) return code;
  const started = await ensureService(servicePorts(host));
  if (!started.ok) return started;
  const { pid, version } = started.value;
  started.value.dispose();
  return printLine(host, t("purser {0} is running as process {1}", version, pid));
}

const [readBudget, lookAgain] = [1024 * 1024, 200];

async function logs(options: ParsedOptions, host: CliHost): Promise<Done> {
  const { log } = servicePorts(host).home;
  const tail = new FileTail(log, {
    onRestart: () => undefined,
    onLine(line) {
      host.stdout.write(`${cleanText(line.toString("utf8"))}\n`);
      return true;
    },
    onOversized: () => undefined,
  });
  const signal = printingSignal(host);
  const first = tail.poll(readBudget);
  if (first.state !== "reading" && !options.has("follow"))
    return fail("failed", sentence("there is no log at {0}", log));
  for (let { more } = first; more || options.has("follow"); { more } = tail.poll(readBudget)) {
    if (signal.aborted) break;
    if (!more) await pause(lookAgain);
  }
  return 0;
}

function printLine(host: CliHost, message: string): number {
  host.stdout.write(`${message}\n`);
  return 0;
}
