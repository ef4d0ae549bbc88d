import * as z from "zod/mini";
import { readJson } from "../../../base/parse.ts";
import { fillsState } from "./fills.ts";
import { runsState, surroundingsState } from "./runs.ts";
import { sessionState } from "./session-metadata.ts";
import { toolsState } from "./tools.ts";

const text = z.nullable(z.string());

const readerState = z.object({
  version: z.literal(1),
  /** The time of the file's first row: older rows were copied into it. */
  bornAt: z.nullable(z.number()),
  /** The models of the last responses, of the main chain and of side conversations. */
  mainModel: text,
  sideModel: text,
  isLongContext: z.boolean(),
  compactions: z.int(),
  known: surroundingsState,
  session: sessionState,
  tools: toolsState,
  runs: runsState,
  /** Null when it does not fit. */
  fills: z.nullable(fillsState),
});
export type ReaderState = z.infer<typeof readerState>;

/** The ledger accepts 100,000 characters. */
const maxLength = 99_000;

/** A state as text. Leaves the fills out if they do not fit: they are then unknown for a while. */
export function writeState(state: ReaderState): string {
  const written = JSON.stringify(state);
  return written.length <= maxLength ? written : JSON.stringify({ ...state, fills: null });
}

/**
 * Null for a missing state and for one of another version: the reader then starts without knowledge of earlier lines.
 */
export function readState(text: string | null): ReaderState | null {
  return readJson(readerState, text);
}
