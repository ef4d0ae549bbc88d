import type { Clock } from "../base/timing.ts";
import type { Age } from "./build-stamp.ts";
import { type HeldLock, stateOf } from "../base/lock.ts";
import { takeHomeLock } from "./home-lock.ts";
import { compareVersions, type Machine } from "../base/process.ts";
import type { PurserPaths } from "../base/paths.ts";
import { quickAsk } from "./quick-ask.ts";
import { buildOf, readRecordWithAge, type ServiceRecord } from "./service-record.ts";

export interface TakeOverInput {
  readonly home: PurserPaths;
  readonly pid: number;
  readonly machine: Machine;
  readonly clock: Clock;
  /** Would serve instead. */
  readonly own: Age;
  /** Called before the running one is asked to end, so that hooks wait for a shorter time. */
  readonly prepare?: () => Promise<void>;
}

/** Null if none runs. */
function servingOne(
  home: PurserPaths,
  { machine, clock }: Pick<TakeOverInput, "machine" | "clock">,
): ServiceRecord | null {
  const found = readRecordWithAge(home, clock.now());
  if (!found.ok || found.value === null) return null;
  const { record, silence } = found.value;
  return stateOf(record, machine, silence) === "gone" ? null : record;
}

/** The service answers before it ends. Milliseconds. */
const answerTime = 3000;

/**
 * Asks the running service to end if it is older. Returns the lock for starting another, which keeps others from starting one. Null if the running
 * one is as new, or if another process is just starting one.
 */
export async function takeOver({ home, own, prepare, ...ports }: TakeOverInput): Promise<HeldLock | null> {
  const record = servingOne(home, ports);
  if (record !== null && !isOlder({ version: record.version, build: buildOf(record) }, own)) return null;
  const lock = await takeHomeLock("start", { home, ...ports });
  if (!lock.ok) return null;
  const request = { home, version: own.version, within: answerTime };
  if (record !== null) {
    await prepare?.();
    await quickAsk({ ...request, method: "shutdown", params: { reason: "handover" } });
  }
  return lock.value;
}

/** By version, then by build time if the builds differ. At most one of two is older, so they never take turns. */
export function isOlder(one: Age, other: Age): boolean {
  const order = compareVersions(one.version, other.version);
  if (order !== 0) return order < 0;
  if (other.build === null || one.build?.hash === other.build.hash) return false;
  return one.build === null || one.build.builtAt < other.build.builtAt;
}
