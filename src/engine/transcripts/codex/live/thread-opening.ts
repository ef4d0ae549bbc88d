import { errorCode } from "../../../base/error-code.ts";
import { readOpening } from "../../open-file.ts";
import { readRolloutLine } from "../rollout-row.ts";
import type { SessionMeta } from "../codex-row-schema.ts";

/** The first line holds the agent's instructions, so it is long. Bytes. */
const longest = 1024 * 1024;
const newline = 0x0a;

/** How a rollout begins. */
export interface ThreadOpening {
  /** The thread that started this one as its subagent; null for a thread that a person started. */
  readonly startedBy: string | null;
  /** The session it belongs to, where the version tells. */
  readonly sessionId: string | null;
}

const ofPerson: ThreadOpening = { startedBy: null, sessionId: null };

/** Reads a rollout's first line; null while it is not written yet. A file that begins otherwise is nobody's subagent. */
export function readThreadOpening(path: string): ThreadOpening | null {
  let opening: Buffer | undefined;
  try {
    opening = readOpening(path, longest);
  } catch (error) {
    // The reader of the whole file tells why.
    errorCode(error);
    return ofPerson;
  }
  const end = opening?.indexOf(newline) ?? -1;
  if (opening === undefined || (end === -1 && opening.length === longest)) return ofPerson;
  if (end === -1) return null;
  const line = readRolloutLine(opening.subarray(0, end));
  return line.kind === "row" && line.row.type === "session_meta" ? openingOf(line.row.meta) : ofPerson;
}

function openingOf({
  id,
  session_id: session,
  parent_thread_id: parent,
  source,
}: SessionMeta): ThreadOpening {
  if (source === null || source === undefined) return ofPerson;
  const root = session === id ? null : (session ?? null);
  return {
    startedBy: source.subagent.thread_spawn?.parent_thread_id ?? parent ?? root,
    sessionId: root,
  };
}
