import { sentence, type Sentence } from "../../base/language.ts";
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type Result, errorCode } from "../../base/result.ts";
import { connectService, type ConnectFailure, type ServiceClient } from "../../service/client.ts";
import type { CliHost } from "../cli-ports.ts";
import { servicePorts } from "../service/service-access.ts";
import { note, ok, problem } from "./diagnosis.ts";
import type { Finding } from "./doctor-schema.ts";

export interface FoundService {
  readonly client: ServiceClient | null;
  /** `same`: it answers, has this version, and so accepts a test call. `none`: none runs. */
  readonly state: "same" | "none" | "other";
  readonly findings: readonly Finding[];
}

const remedies: Readonly<Record<Exclude<ConnectFailure, "not_running">, Sentence | string>> = {
  unresponsive: "purser service restart --force",
  elsewhere: sentence("Stop it on the machine where it runs, or set PURSER_HOME to another folder here."),
  refused: "purser service restart --force",
  outdated: sentence("Update this purser, or its extension."),
  unsafe_place: sentence("Remove the named file or folder, then run purser service start."),
};

/** Starts no service. The caller disposes of the client. */
export async function findService(host: CliHost): Promise<FoundService> {
  const ports = servicePorts(host);
  const found = await connectService(ports);
  if (!found.ok) {
    const state = found.reason === "not_running" ? "none" : "other";
    return { client: null, state, findings: [describeFailure(found)] };
  }
  const client = found.value;
  const { pid, version } = client;
  const described = await client.ask("describe", {}, host.signal);
  if (!described.ok)
    return {
      client,
      state: "other",
      findings: [
        problem(
          "service",
          sentence("The service, process {0}, does not answer: {1}", pid, described.detail),
          remedies.unresponsive,
        ),
      ],
    };
  const own = ports.build?.() ?? null;
  const isSame =
    version === host.version() && (own === null || client.build === null || own.hash === client.build.hash);
  if (!isSame) {
    const what =
      version === host.version()
        ? sentence("The service, process {0}, is another build of {1}; this is {1}.", pid, version)
        : sentence("The service, process {0}, is {1}; this is {2}.", pid, version, host.version());
    return { client, state: "other", findings: [problem("service", what, "purser service restart")] };
  }
  return {
    client,
    state: "same",
    findings: [ok("service", sentence("The service is running: {0}, process {1}.", version, pid))],
  };
}

function describeFailure({ reason, detail }: Extract<Result<never, ConnectFailure>, { ok: false }>): Finding {
  if (reason === "not_running")
    return note(
      "service",
      sentence("The service is not running. A window, a hook or a terminal starts it when needed."),
      "purser service start",
    );
  return problem("service", sentence("The service cannot be reached: {0}", detail), remedies[reason]);
}

/** Bytes of the log that are read. */
const tail = 64 * 1024;
const maxLines = 3;
/** Maximum age of a problem. Milliseconds. */
const recentTime = 24 * 60 * 60_000;

export function checkLog(host: CliHost): Finding[] {
  const { log } = servicePorts(host).home;
  const lines = readEnd(log)
    .split("\n")
    .flatMap((line) => {
      const { at = "", text = "" } =
        /^(?<at>\d{4}-\d\d-\d\dT[\d:.]+Z) (?:warn|error) +(?<text>.*)/u.exec(line)?.groups ?? {};
      const time = Date.parse(at);
      return time > host.now() - recentTime ? [text] : [];
    });
  if (lines.length === 0) return [];
  const last = [...new Set(lines.reverse())].slice(0, maxLines).reverse();
  const latest = last.join(" | ");
  const what =
    lines.length === 1
      ? sentence("The service's log has a problem of the last day: {0}", latest)
      : sentence("The service's log has {0} problems in the last day; the latest: {1}", lines.length, latest);
  return [note("service-log", what, "purser service logs")];
}

function readEnd(file: string): string {
  let handle;
  try {
    handle = openSync(file, "r");
  } catch (error) {
    if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return "";
    throw error;
  }
  try {
    const stats = fstatSync(handle);
    if (!stats.isFile()) return "";
    const bytes = Buffer.alloc(Math.min(tail, stats.size));
    const read = readSync(handle, bytes, 0, bytes.length, stats.size - bytes.length);
    return bytes.toString("utf8", 0, read);
  } finally {
    closeSync(handle);
  }
}
