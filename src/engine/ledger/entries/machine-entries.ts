import * as z from "zod/mini";
import { sessionEntry, responseEntry, subagentEntry, toolCallEntry } from "./collected.ts";
import { count, entryOf, id, maybeName, maybeTime, name } from "./fields.ts";

/** Entries for the usage of the user's other machines. */

/** The rows that machines exchange: ids, names, sizes and counts. */
export const sharedEntry = z.discriminatedUnion("kind", [
  sessionEntry,
  responseEntry,
  toolCallEntry,
  subagentEntry,
]);
export type SharedEntry = z.input<typeof sharedEntry>;
export type CheckedSharedEntry = z.output<typeof sharedEntry>;

/**
 * A row of another machine. A row with a higher version replaces it; the same or an older one changes nothing, in
 * whatever order they come.
 */
export const machineRowEntry = entryOf("machine-row", {
  /** The machine's random id. */
  machine: id,
  version: count,
  row: sharedEntry,
});

/** A machine took back all responses of a session with a lower version. */
export const retractionEntry = entryOf("retraction", { machine: id, sessionId: id, version: count });

/** One of the user's other machines, and how far its ledger has been merged. Appended after the rows read up to it. */
export const machineEntry = entryOf("machine", {
  id,
  label: name,
  /** Where the next sync continues; see `cursor.ts`. */
  cursor: maybeName,
  /** When the machine answered last, by this machine's clock. Milliseconds since the epoch. */
  syncedAt: maybeTime,
});

/** Removes all rows of a machine: a person removed it, or its ledger was replaced by another. */
export const forgetMachineEntry = entryOf("forget-machine", { id });
