import { cleanText, cutEnd } from "../../base/text/text.ts";
import { parseOptions } from "../args.ts";
import type { CliHost } from "../ports.ts";

/** A shell shows a list of them. */
const [mostSessions, longestTitle] = [40, 60];
/** The beginning of an id is enough to find a session by. Characters. */
const shortId = 8;

/** Returns the newest sessions, a line each: its id, a tab, and what it is about. */
export async function sessionValues(host: CliHost): Promise<string> {
  const { readSessions } = await import("../sessions/command.ts");
  const { sessions } = await readSessions(host);
  return sessions
    .toSorted((one, other) => (other.lastActivity ?? 0) - (one.lastActivity ?? 0))
    .slice(0, mostSessions)
    .map(
      ({ id, title, cwd }) =>
        `${cleanText(id.slice(0, shortId))}\t${cutEnd(cleanText(title ?? cwd ?? ""), longestTitle)}\n`,
    )
    .join("");
}

/** Returns the agents that golden tasks are for, a line each. None where the suite has faults, which its own commands tell. */
export async function agentValues(host: CliHost): Promise<string> {
  const { goldenSuite, suiteOptions } = await import("../bench/golden/target.ts");
  const options = parseOptions([], suiteOptions);
  if (!options.ok) return "";
  const suite = await goldenSuite(options.value, { ...host, stderr: { write: () => true } });
  return suite.ok ? suite.value.agents.map(({ name }) => `${cleanText(name)}\n`).join("") : "";
}
