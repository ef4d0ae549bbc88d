import { sentence, type Sentence } from "../base/language.ts";

/**
 * Why compiled rules would not reach an agent's memory:
 * - `no-memory`: its definition has no memory, so it reads none;
 * - `elsewhere`: its memory is its project's, while purser writes the one of `memory: user`;
 * - `no-definition`: Claude Code has no definition of it here;
 * - `main`: the main conversation, whose rules go into a file of the project that its user has not chosen yet;
 * - `no-folder`: the same, where no project is open.
 */
type NoMemory =
  | { readonly kind: "no-memory"; readonly file: string }
  | { readonly kind: "elsewhere"; readonly file: string; readonly scope: string }
  | { readonly kind: "no-definition" | "main" | "no-folder" };

export interface AgentDefinition {
  readonly name: string;
  readonly file: string;
  /** Scope of its memory. Null for none. */
  readonly memory: string | null;
}

/** Something missing before an agent's rules can be measured and reach it. */
export type Need =
  NoMemory | { readonly kind: "program"; readonly program: string } | { readonly kind: "no-tasks" };

export function whyNoMemory(agent: string, definitions: readonly AgentDefinition[]): NoMemory | null {
  if (agent === "main") return { kind: "main" };
  const own = definitions.find(({ name }) => name === agent);
  if (own === undefined) return { kind: "no-definition" };
  const { file, memory } = own;
  if (memory === null) return { kind: "no-memory", file };
  return memory === "user" ? null : { kind: "elsewhere", file, scope: memory };
}

/** The only program whose agents have a memory that purser writes. */
export const ruledProgram = "claude-code";

/** @param context.withTasks agents that have golden tasks */
export function needsOf(
  { agent, program }: { readonly agent: string; readonly program: string },
  context: { readonly definitions: readonly AgentDefinition[]; readonly withTasks: ReadonlySet<string> },
): Need[] {
  if (program !== ruledProgram) return [{ kind: "program", program }];
  const why = whyNoMemory(agent, context.definitions);
  // Its file is chosen when its first rule is approved, and real work measures it.
  if (why?.kind === "main") return [];
  const tasks: Need[] = context.withTasks.has(agent) ? [] : [{ kind: "no-tasks" }];
  return why === null ? tasks : [why, ...tasks];
}

/**
 * Describes what is missing and the remedy, in a sentence. Paths are not cleaned: clean the text before
 * showing it.
 */
export function describeNeed(missing: Need): Sentence {
  switch (missing.kind) {
    case "program":
      return sentence("It is not Claude Code's: only Claude Code's agents have a memory that rules go into.");
    case "main":
      return sentence("Rules of the main conversation go into a file of this project that you choose.");
    case "no-folder":
      return sentence("Rules of the main conversation go into a file of a project: open its folder first.");
    case "no-definition":
      return sentence(
        "Claude Code has no definition of this agent here: rules go into the memory of agents whose definition says memory: user.",
      );
    case "no-memory":
      return sentence("Its definition names no memory: add the line memory: user to {0}.", missing.file);
    case "elsewhere":
      return sentence(
        "Its definition says memory: {0}, and rules go into memory: user: {1}.",
        missing.scope,
        missing.file,
      );
    case "no-tasks":
      return sentence(
        "It has no golden tasks to be measured with: New Golden Task… drafts one from a session.",
      );
  }
}

interface Missing {
  readonly kind: Need["kind"];
  readonly words: Sentence;
}

export function missingOf(needs: readonly Need[]): Missing[] {
  return needs.map((each) => ({ kind: each.kind, words: describeNeed(each) }));
}

/** Why an agent may get rules: it has some, golden tasks, or a definition by the user. */
export type AgentOrigin = "rules" | "golden" | "own";

interface AgentOffer {
  readonly name: string;
  readonly from: readonly AgentOrigin[];
}

export function agentOffers(known: Readonly<Record<AgentOrigin, readonly string[]>>): AgentOffer[] {
  const origins = ["rules", "golden", "own"] as const;
  const names = [...new Set(origins.flatMap((origin) => known[origin]))];
  return names
    .toSorted((one, other) => one.localeCompare(other, "en"))
    .map((name) => ({ name, from: origins.filter((origin) => known[origin].includes(name)) }));
}
