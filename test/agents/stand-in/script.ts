import type { Reply } from "./reply.ts";
import { says, usageOf } from "./reply.ts";
import { roleOf, type Role } from "./role.ts";
import type { SeenRequest } from "./request.ts";
import type { Script } from "./stand-in.ts";

/** The replies of one run, one queue per role. */
export interface Lines {
  readonly main?: readonly Reply[];
  readonly subagent?: readonly Reply[];
  readonly summary?: readonly Reply[];
  /** Reply to every main request once `main` is used up: for an error that must outlive the agent's retries. */
  readonly otherwise?: Reply;
}

/**
 * A script that answers from `lines` and reports unrequested replies. `classify` returns the role of a
 * request.
 */
export function scripted(
  lines: Lines,
  classify: (request: SeenRequest) => Role = roleOf,
): { readonly script: Script; readonly unused: () => string[] } {
  const queues = {
    main: [...(lines.main ?? [])],
    subagent: [...(lines.subagent ?? [])],
    summary: [...(lines.summary ?? [])],
  };
  const script: Script = (request) => {
    const role = classify(request);
    if (role === "aside") return says('{"title": "A title"}', usageOf(1, 0, 0, 1));
    const reply = queues[role].shift() ?? (role === "main" ? lines.otherwise : undefined);
    if (reply === undefined) throw new Error(`no ${role} reply is left for request ${request.index}`);
    return reply;
  };
  const unused = (): string[] =>
    Object.entries(queues).flatMap(([role, left]) => (left.length === 0 ? [] : [`${left.length} ${role}`]));
  return { script, unused };
}
