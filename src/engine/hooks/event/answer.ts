/** What hooks may be answered with, in our words; `write-answer.ts` puts it into the agents'. Every part may be left out. */
export interface HookAnswer {
  /** Goes into the agent's context. */
  readonly context?: string;
  /** Whether what was asked for may be done. */
  readonly permission?: { readonly decision: Permission; readonly reason: string };
  /** Why what is about to happen, such as stopping, does not. The agent reads it. */
  readonly block?: string;
  /** Why the agent's work ends here. The user reads it. */
  readonly stop?: string;
  /** Shown to the user. */
  readonly notice?: string;
  /** What led to the answer, for the ledger: an advice, a budget. */
  readonly rule?: string;
}

/** The strongest last: of several opinions it holds. */
const permissions = ["allow", "ask", "deny"] as const;
type Permission = (typeof permissions)[number];

/** One answer of several handlers'. */
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
    ...(strongest === undefined
      ? {}
      : { permission: { decision: strongest, reason: joinedText(reasons) ?? "" } }),
  };
}

type TextPart = "context" | "block" | "stop" | "notice" | "rule";

function joined(answers: readonly HookAnswer[], part: TextPart): HookAnswer {
  const all = joinedText(answers.map((answer) => answer[part]));
  return all === undefined ? {} : { [part]: all };
}

function joinedText(texts: readonly (string | undefined)[]): string | undefined {
  const told = texts.filter((text) => text !== undefined && text !== "");
  return told.length === 0 ? undefined : told.join("\n");
}

/** What became of a hook, in one word for the ledger. */
export type Outcome =
  Permission | "block" | "stop" | "advise" | "notice" | "none" | "failed" | "late" | "unknown_event";

/** The strongest part of an answer. */
export function outcomeOf({ context, permission, block, stop, notice }: HookAnswer): Outcome {
  if (permission?.decision === "deny") return "deny";
  if (stop !== undefined) return "stop";
  if (block !== undefined) return "block";
  if (permission !== undefined) return permission.decision;
  if (context !== undefined) return "advise";
  return notice === undefined ? "none" : "notice";
}
