import * as z from "zod";
import { parseJson } from "../../../base/parse-json.ts";
import { fillsState } from "./fills.ts";
import { runsState } from "./runs.ts";
import { sessionState } from "./about-session.ts";
import { surroundingsState } from "./surroundings.ts";
import { toolsState } from "./tools.ts";

const text = z.string().nullable();

/** What a reader remembers of the lines so far. */
const readerState = z.object({
  version: z.literal(1),
  /** The time of the file's first row: what is older was copied into it. */
  bornAt: z.number().nullable(),
  /** The model of the last response, of the main chain and of side conversations. */
  mainModel: text,
  sideModel: text,
  isLongContext: z.boolean(),
  compactions: z.int(),
  known: surroundingsState,
  session: sessionState,
  tools: toolsState,
  runs: runsState,
  /** Null when it would not fit. */
  fills: fillsState.nullable(),
});
export type ReaderState = z.infer<typeof readerState>;

/** The ledger takes 100,000 characters. */
const longest = 99_000;

/** A state as text. What fills the window is left out where it would not fit: it is then unknown for a while. */
export function writeState(state: ReaderState): string {
  const written = JSON.stringify(state);
  return written.length <= longest ? written : JSON.stringify({ ...state, fills: null });
}

/** Null for what another version wrote, or nobody: the reader then knows nothing of the lines before. */
export function readState(text: string | null): ReaderState | null {
  return text === null ? null : (readerState.safeParse(parseJson(text)).data ?? null);
}
