import * as z from "zod";
import type { Machine, MachineId } from "../process/machine.ts";

/** Who holds something that lies in a folder: a process, so exactly that no other is taken for it. */
export const holderSchema = z.object({
  pid: z.int().positive(),
  /** As its system told it; null where that does not tell. */
  startTime: z.string().nullable(),
  machine: z.object({ host: z.string(), boot: z.string(), processes: z.string() }),
});

export type Holder = z.infer<typeof holderSchema>;

/** `elsewhere`: on another machine or in another container, and heard of lately. */
export type HolderState = "alive" | "gone" | "elsewhere";

/** A holder says this often that it lives. Milliseconds. */
export const beatInterval = 5000;
/** One that cannot be asked for and was silent for longer is gone. Milliseconds. */
const longestSilence = 30_000;

export function holderOf(pid: number, machine: Machine): Holder {
  return { pid, startTime: machine.startOf(pid), machine: machine.id };
}

/** Is it this process of this machine? */
export function isOwn(holder: Holder, pid: number, machine: Machine): boolean {
  const own = holderOf(pid, machine);
  return (
    holder.pid === own.pid &&
    holder.startTime === own.startTime &&
    compare(holder.machine, own.machine) === "same"
  );
}

/**
 * Is this holder still there? Where its process can be told from a later one of the same id, that alone decides.
 * @param silence since it was last heard of, milliseconds
 */
export function stateOf(holder: Holder, machine: Machine, silence: number): HolderState {
  const isSilent = silence > longestSilence;
  const place = compare(holder.machine, machine.id);
  if (place === "restarted") return "gone";
  if (place === "other") return isSilent ? "gone" : "elsewhere";
  if (!machine.isAlive(holder.pid)) return "gone";
  const start = machine.startOf(holder.pid);
  if (start !== null && holder.startTime !== null) return start === holder.startTime ? "alive" : "gone";
  return isSilent ? "gone" : "alive";
}

function compare(theirs: MachineId, ours: MachineId): "same" | "restarted" | "other" {
  if (theirs.host !== ours.host) return "other";
  if (theirs.boot !== ours.boot) return "restarted";
  return theirs.processes === ours.processes ? "same" : "other";
}
