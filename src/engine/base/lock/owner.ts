import * as z from "zod/mini";
import type { Machine, MachineId } from "../process/machine.ts";

/**
 * The owner of a lock or record in a folder: a process, identified so exactly that no other is mistaken for it.
 */
export const ownerSchema = z.object({
  pid: z.int().check(z.positive()),
  /** As reported by its system; null if unavailable. */
  startTime: z.nullable(z.string()),
  machine: z.object({ host: z.string(), boot: z.string(), processes: z.string() }),
});

export type LockOwner = z.infer<typeof ownerSchema>;

/** `elsewhere`: on another machine or in another container, with a recent sign of life. */
export type OwnerState = "alive" | "gone" | "elsewhere";

/** Interval of a holder's signs of life. Milliseconds. */
export const beatInterval = 5000;
/** A holder with a process that cannot be checked is gone after a longer silence. Milliseconds. */
const maxSilence = 30_000;

export function ownerOf(pid: number, machine: Machine): LockOwner {
  return { pid, startTime: machine.startOf(pid), machine: machine.id };
}

/** Whether a holder is this process of this machine. */
export function isOwn(owner: LockOwner, pid: number, machine: Machine): boolean {
  const own = ownerOf(pid, machine);
  return (
    owner.pid === own.pid &&
    owner.startTime === own.startTime &&
    compare(owner.machine, own.machine) === "same"
  );
}

/**
 * Returns the state of a holder. If its process can be distinguished from a later one with the same id, that
 * alone decides.
 * @param silence time since its last sign of life, milliseconds
 */
export function stateOf(owner: LockOwner, machine: Machine, silence: number): OwnerState {
  const isSilent = silence > maxSilence;
  const relation = compare(owner.machine, machine.id);
  if (relation === "restarted") return "gone";
  if (relation === "other") return isSilent ? "gone" : "elsewhere";
  if (!machine.isAlive(owner.pid)) return "gone";
  const start = machine.startOf(owner.pid);
  if (start !== null && owner.startTime !== null) return start === owner.startTime ? "alive" : "gone";
  return isSilent ? "gone" : "alive";
}

function compare(theirs: MachineId, ours: MachineId): "same" | "restarted" | "other" {
  if (theirs.host !== ours.host) return "other";
  if (theirs.boot !== ours.boot) return "restarted";
  return theirs.processes === ours.processes ? "same" : "other";
}
