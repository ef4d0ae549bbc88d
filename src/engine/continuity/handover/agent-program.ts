import { findProgram, type ProgramPlaces } from "../../base/process.ts";
import { handoverAgents, type HandoverWord } from "./launch.ts";

interface AgentProgram {
  /** Its usual name, or the one in the user's environment variable. */
  readonly name: string;
  /** Null if a terminal would not find it. */
  readonly file: string | null;
}

export async function findAgentProgram(word: HandoverWord, places: ProgramPlaces): Promise<AgentProgram> {
  const { program, variable } = handoverAgents[word];
  const named = places.env[variable] ?? "";
  const name = named === "" ? program : named;
  return { name, file: await findProgram(name, places) };
}
