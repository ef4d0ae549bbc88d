/** A hook answer in purser's own terms; `write-answer.ts` translates it for each agent. Every part is optional. */
export interface HookAnswer {
  /** Added to the agent's context. */
  readonly context?: string;
  /** Whether the requested action is allowed. */
  readonly permission?: { readonly decision: Permission; readonly reason: string };
  /** New input for the tool, complete. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** New output of the tool for the agent. */
  readonly output?: ReplacedOutput;
  /** Reason for blocking an action, such as stopping. Read by the agent. */
  readonly block?: string;
  /** Reason for ending the agent's work here. Read by the user. */
  readonly stop?: string;
  /** Shown to the user. */
  readonly notice?: string;
  /** The cause of the answer, such as an advice or a budget. Recorded in the ledger. */
  readonly rule?: string;
}

/** A tool's output in another form. */
export interface ReplacedOutput {
  readonly text: string;
  /** The tool's whole response with that text, in the shape in which the agent reported it. */
  readonly response: unknown;
}

/** Permissions by increasing strength: among several decisions the strongest wins. */
const permissions = ["allow", "ask", "deny"] as const;
type Permission = (typeof permissions)[number];

/** Merges the answers of several handlers into one. */
export function mergeAnswers(answers: readonly HookAnswer[]): HookAnswer {
  const asked = answers.flatMap(({ permission }) => (permission === undefined ? [] : [permission]));
  const strongest = permissions.findLast((level) => asked.some(({ decision }) => decision === level));
  const reasons = asked.filter(({ decision }) => decision === strongest).map(({ reason }) => reason);
  return {
    ...joined(answers, "context"),
    ...joined(answers, "block"),
    ...joined(answers, "stop"),
    ...joined(answers, "notice"),
    ...joined(answers, "rule"),
    ...lastOf(answers, "input"),
    ...lastOf(answers, "output"),
    ...(strongest === undefined
      ? {}
      : { permission: { decision: strongest, reason: joinedText(reasons) ?? "" } }),
  };
}

/** Two replacements cannot be merged: the later handler's is taken. */
function lastOf(answers: readonly HookAnswer[], part: "input" | "output"): HookAnswer {
  const given = answers.findLast((answer) => answer[part] !== undefined)?.[part];
  return given === undefined ? {} : { [part]: given };
}

type TextPart = "context" | "block" | "stop" | "notice" | "rule";

function joined(answers: readonly HookAnswer[], part: TextPart): HookAnswer {
  const all = joinedText(answers.map((answer) => answer[part]));
  return all === undefined ? {} : { [part]: all };
}

function joinedText(texts: readonly (string | undefined)[]): string | undefined {
  const present = texts.filter((text) => text !== undefined && text !== "");
  return present.length === 0 ? undefined : present.join("\n");
}

/** Outcome of a hook, as the ledger records it. */
export type Outcome =
  | Permission
  | "block"
  | "stop"
  | "replace"
  | "advise"
  | "notice"
  | "none"
  | "failed"
  | "late"
  | "unknown_event";

/** Returns the strongest part of an answer. */
export function outcomeOf({ context, permission, block, stop, notice, input, output }: HookAnswer): Outcome {
  if (permission?.decision === "deny") return "deny";
  if (stop !== undefined) return "stop";
  if (block !== undefined) return "block";
  if (permission !== undefined) return permission.decision;
  if (input !== undefined || output !== undefined) return "replace";
  if (context !== undefined) return "advise";
  return notice === undefined ? "none" : "notice";
}
