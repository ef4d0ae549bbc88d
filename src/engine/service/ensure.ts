import { setTimeout as pause } from "node:timers/promises";
import { type Result, type Failure, fail, errorCode } from "../base/result.ts";
import { withRefusalRemedy } from "../base/files.ts";
import type { HeldLock } from "../base/lock.ts";
import type { BuildStamp } from "./build-stamp.ts";
import { takeHomeLock } from "./home-lock.ts";
import { isOlder } from "./take-over.ts";
import type { LaunchFailure, Launcher } from "./launch/launch.ts";
import { ensurePrivateFolder } from "../base/private-files.ts";
import { protocolVersion } from "../sessions/session-requests.ts";
import { connectService, type ClientPorts, type ConnectFailure, type ServiceClient } from "./client.ts";
import { sentence, compose } from "../base/language.ts";

export interface StarterPorts extends ClientPorts {
  readonly pid: number;
  /** The build that would be started; null when running from source. It may be rebuilt at any time. */
  readonly build?: () => BuildStamp | null;
  /** In order of preference. */
  readonly launchers: readonly Launcher[];
  readonly signal?: AbortSignal;
}

export type EnsureFailure = ConnectFailure | LaunchFailure | "unwritable" | "cancelled";
type Ensured = Result<ServiceClient, EnsureFailure>;

/** A service that finishes its writes may delay the next one. Milliseconds. */
const maxWaitMs = 30_000;
const handoverTime = 15_000;
const lookAgain = 25;

/** Failures that waiting does not cure. */
const final: readonly EnsureFailure[] = ["elsewhere", "outdated", "unsafe_place"];

/**
 * Starts a service if there is none, or asks an older one to end and replaces it. However many clients do so at once, one service starts: only the
 * holder of the start lock starts one, and the service itself holds another lock while it runs.
 */
export async function ensureService(ports: StarterPorts): Promise<Ensured> {
  const ensured = ensurePrivateFolder(ports.home.folder);
  if (!ensured.ok) return ensured.reason === "unwritable" ? cannotStart(ensured) : ensured;
  const deadline = performance.now() + maxWaitMs;
  for (;;) {
    const found = await connectCurrent(ports);
    if (found.ok || final.includes(found.reason)) return found;
    const attempt = await begin(ports, deadline);
    if (attempt !== "wait") return attempt;
    if (ports.signal?.aborted === true) return cancelled();
    if (performance.now() > deadline) return found;
    await pause(lookAgain);
  }
}

/** Not to one that is older than this client. */
async function connectCurrent(ports: StarterPorts): Promise<Ensured> {
  const found = await connectService(ports);
  if (!found.ok || !isOutdated(found.value, ports)) return found;
  found.value.dispose();
  return fail("not_running", sentence("purser {0} serves, which is older", found.value.version));
}

function isOutdated(served: ServiceClient, { version, build = () => null }: StarterPorts): boolean {
  return served.protocol < protocolVersion || isOlder(served, { version, build: build() });
}

/** `wait` while another client is starting one, or the previous one is ending. */
async function begin(ports: StarterPorts, deadline: number): Promise<Ensured | "wait"> {
  const lock = await takeStartLock(ports);
  if (!lock.ok) return lock.reason === "locked" ? "wait" : cannotStart(lock);
  try {
    // The previous holder of the lock may have started one.
    const found = await connectService(ports);
    if (found.ok && !isOutdated(found.value, ports)) return found;
    // Nothing is ended or started for a closing client, as nobody might be left to clean up.
    if (ports.signal?.aborted === true) {
      if (found.ok) found.value.dispose();
      return cancelled();
    }
    if (found.ok) {
      const isEnded = await found.value.shutdown("handover", handoverTime);
      found.value.dispose();
      if (!isEnded)
        return fail(
          "unresponsive",
          sentence("purser {0}, process {1}, does not end", found.value.version, found.value.pid),
        );
    } else if (found.reason !== "not_running") return final.includes(found.reason) ? found : "wait";
    return await launch(ports, deadline);
  } finally {
    await lock.value.release();
  }
}

async function takeStartLock(ports: StarterPorts): Promise<Result<HeldLock, "locked" | "unwritable">> {
  try {
    return await takeHomeLock("start", ports);
  } catch (error) {
    return fail("unwritable", compose`${ports.home.folder}: ${errorCode(error)}`);
  }
}

function cannotStart({ detail }: Failure): Failure<"unwritable"> {
  return fail("unwritable", sentence("the service cannot start: {why}", { why: withRefusalRemedy(detail) }));
}

async function launch(ports: StarterPorts, deadline: number): Promise<Ensured | "wait"> {
  let last: Ensured = fail("forbidden", sentence("there is no way to begin the service"));
  for (const launcher of ports.launchers) {
    const launched = await launcher();
    if (!launched.ok) last = launched;
    else {
      const reached = await reach(launched.value.ended, ports, deadline);
      if (reached === "wait" || reached.ok) return reached;
      last = reached;
    }
  }
  return last;
}

/** Until the new service accepts a connection. */
async function reach(
  ended: Promise<Result<void, LaunchFailure>>,
  ports: StarterPorts,
  deadline: number,
): Promise<Ensured | "wait"> {
  let end: Result<void, LaunchFailure> | undefined;
  void ended.then((outcome) => (end = outcome));
  while (performance.now() < deadline) {
    const found = await connectService(ports);
    if (found.ok || final.includes(found.reason)) return found;
    // It ends with success if another service is already running.
    if (end !== undefined) return end.ok ? "wait" : end;
    if (ports.signal?.aborted === true) return cancelled();
    await pause(lookAgain);
  }
  return fail("unresponsive", sentence("the service was begun, and cannot be reached"));
}

function cancelled(): Ensured {
  return fail("cancelled", sentence("starting the service was cancelled"));
}
