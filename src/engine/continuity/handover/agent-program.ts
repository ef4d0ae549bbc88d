import { findProgram, type ProgramPlaces } from "../../base/process/find-program.ts";
import { handoverAgents, type HandoverWord } from "./launch.ts";

export interface AgentProgram {
  /** Its usual name, or the one that the user's variable gives. */
  readonly name: string;
  /** Null where a terminal would find none. */
  readonly file: string | null;
}

/** Finds the program of an agent as a terminal would. */
export async function findAgentProgram(word: HandoverWord, places: ProgramPlaces): Promise<AgentProgram> {
  const { program, variable } = handoverAgents[word];
  const named = places.env[variable] ?? "";
  const name = named === "" ? program : named;
  return { name, file: await findProgram(name, places) };
}
