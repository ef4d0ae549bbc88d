import * as z from "zod/mini";

/** Maximum files, calls, edits, failures and call ids kept. The oldest are dropped. */
export const limits = { files: 200, recent: 20, edits: 12, failures: 20, uses: 50 } as const;
const maxNameLength = 400;

const name = z.string().check(z.maxLength(maxNameLength));
const count = z.int().check(z.nonnegative());

/** Kinds of actions. A check shows whether edits are right. A look is a read, a search or a listing. */
const actionKinds = ["edit", "check", "look", "other"] as const;
export type ActionKind = (typeof actionKinds)[number];

/** The phases that follow from an agent's actions. Late follows from its context alone. */
const workPhases = ["Warmup", "Productive", "Exploring", "Struggling"] as const;

export const workState = z.object({
  /** Prompts so far; 0 before the first event of a turn. */
  turn: count,
  /** The agent's id of the current turn's prompt. */
  prompt: z.nullable(name),
  /** Whether the turn has ended, and nothing has happened since. */
  isStopped: z.boolean(),
  /** Calls that have ended, and those that failed, in the whole session. */
  calls: count,
  errors: count,
  /** The last calls that have ended. */
  recent: z
    .array(z.object({ deed: z.enum(actionKinds), failed: z.boolean() }))
    .check(z.maxLength(limits.recent)),
  /** The subsystems of the last edits. */
  edits: z.array(name).check(z.maxLength(limits.edits)),
  /** Edits in another subsystem than the edit before, in the whole session. */
  switches: count,
  /** Looks since the last edit, the last passed check, the prompt, or a compaction. */
  looks: count,
  /** Files edited in the session, by whether a check has passed since. Each is in one list. */
  unverified: z.array(name).check(z.maxLength(limits.files)),
  verified: z.array(name).check(z.maxLength(limits.files)),
  /** Actions that failed and have not succeeded since, for each failure, with the turn of the last one. */
  failures: z
    .array(z.object({ action: name, failure: name, times: count, turn: count }))
    .check(z.maxLength(limits.failures)),
  /** The rule of the current loop. */
  loop: z.nullable(name),
  /** Share of the context left; null while unknown. Percent. */
  left: z.nullable(z.number()),
  work: z.object({ phase: z.enum(workPhases), next: z.enum(workPhases), since: count }),
  /** Ids of ended calls, since several events report the same call. */
  uses: z.array(name).check(z.maxLength(limits.uses)),
});
/** A session's work so far, by its hooks, without texts of files or outputs. Measures such as trust follow from it. */
export type WorkState = Readonly<z.infer<typeof workState>>;
export type WorkPhase = WorkState["work"]["phase"];

export const noWork: WorkState = {
  turn: 0,
  prompt: null,
  isStopped: false,
  calls: 0,
  errors: 0,
  recent: [],
  edits: [],
  switches: 0,
  looks: 0,
  unverified: [],
  verified: [],
  failures: [],
  loop: null,
  left: null,
  work: { phase: "Warmup", next: "Warmup", since: 0 },
  uses: [],
};

/** Cuts a name to the state's maximum length. */
export function cutName(text: string): string {
  return text.slice(0, maxNameLength);
}
