import { setTimeout as pause } from "node:timers/promises";
import { fail, type Result } from "../../base/result.ts";
import type { BuildStamp } from "../build-stamp.ts";
import { takeHomeLock } from "../home-lock.ts";
import { isOlder } from "../is-older.ts";
import type { LaunchFailure, Launcher } from "../launch/launch.ts";
import { ensurePrivateFolder } from "../../base/disk/private-place.ts";
import { protocolVersion } from "../../wire/service.ts";
import { connectService, type ClientPorts, type ConnectFailure, type ServiceClient } from "./client.ts";

export interface StarterPorts extends ClientPorts {
  readonly pid: number;
  /** What was built that would be begun; null where it runs as it is written. Read when it is asked for: it may be built anew. */
  readonly build?: () => BuildStamp | null;
  /** Ways to begin a service, tried in this order. */
  readonly launchers: readonly Launcher[];
  readonly signal?: AbortSignal;
}

/** What keeps a client from having the service. */
export type EnsureFailure = ConnectFailure | LaunchFailure | "unwritable" | "cancelled";
type Ensured = Result<ServiceClient, EnsureFailure>;

/** A service that finishes its writes may take a while before the next can begin. Milliseconds. */
const longest = 30_000;
const handoverTime = 15_000;
const lookAgain = 25;

/** Waiting changes nothing about these. */
const final: readonly EnsureFailure[] = ["elsewhere", "outdated", "unsafe_place"];

/**
 * Connects to the service, and begins one when there is none, or only one of an older version, which is asked to end
 * first. However many clients do so at once, one service begins: only who has the start lock begins one, and the service
 * itself takes another that it keeps.
 */
export async function ensureService(ports: StarterPorts): Promise<Ensured> {
  const place = ensurePrivateFolder(ports.home.folder);
  if (!place.ok) return place;
  const deadline = performance.now() + longest;
  for (;;) {
    const found = await connectCurrent(ports);
    if (found.ok || final.includes(found.reason)) return found;
    const begun = await begin(ports, deadline);
    if (begun !== "wait") return begun;
    if (ports.signal?.aborted === true) return fail("cancelled", "starting the service was cancelled");
    if (performance.now() > deadline) return found;
    await pause(lookAgain);
  }
}

/** The service, if it is not older than this client. */
async function connectCurrent(ports: StarterPorts): Promise<Ensured> {
  const found = await connectService(ports);
  if (!found.ok || !isOutdated(found.value, ports)) return found;
  found.value.dispose();
  return fail("not_running", `purser ${found.value.version} serves, which is older`);
}

function isOutdated(served: ServiceClient, { version, build = () => null }: StarterPorts): boolean {
  return served.protocol < protocolVersion || isOlder(served, { version, build: build() });
}

/** `wait`: another client is about to begin one, or the one before is just ending. */
async function begin(ports: StarterPorts, deadline: number): Promise<Ensured | "wait"> {
  const lock = await takeHomeLock("start", ports);
  if (!lock.ok) return "wait";
  try {
    // Whoever had the lock before may have begun one.
    const found = await connectService(ports);
    if (found.ok) {
      if (!isOutdated(found.value, ports)) return found;
      if (!(await found.value.shutdown("handover", handoverTime)))
        return fail(
          "unresponsive",
          `purser ${found.value.version}, process ${found.value.pid}, does not end`,
        );
    } else if (found.reason !== "not_running") return final.includes(found.reason) ? found : "wait";
    return await launch(ports, deadline);
  } finally {
    await lock.value.release();
  }
}

async function launch(ports: StarterPorts, deadline: number): Promise<Ensured | "wait"> {
  let last: Ensured = fail("forbidden", "there is no way to begin the service");
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

/** Waits until the new service can be connected to. */
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
    // It ends well when another service runs already.
    if (end !== undefined) return end.ok ? "wait" : end;
    if (ports.signal?.aborted === true) return fail("cancelled", "starting the service was cancelled");
    await pause(lookAgain);
  }
  return fail("unresponsive", "the service was begun, and cannot be reached");
}
