import { compose } from "../../base/text/sentence.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { findDefinition } from "../agents/definitions.ts";
import type { RecurringAgent } from "../agents/definition.ts";
import { agentPlace, type AgentPlace } from "./agent-folder.ts";

/** An agent of a project, with its folder. */
export interface OwnAgent {
  readonly project: string;
  readonly file: string;
  readonly agent: RecurringAgent;
  readonly place: AgentPlace;
}

/** Finds an agent of a project by its name, and reads its file. @param wakes the folder of all agents' states */
export function openOwnAgent(wakes: string, project: string, name: string): Result<OwnAgent> {
  const found = findDefinition(project, name);
  if (!found.ok) return found;
  const { read, file } = found.value;
  if (!read.ok) return fail("bad_definition", compose`${file}, ${read.detail}`);
  return succeed({ project, file, agent: read.value, place: agentPlace(wakes, project, name) });
}
