import * as z from "zod/mini";

/** Bounds of a packet's lists and texts: it stays small for a session of any length. Characters. */
export const bounds = { lines: 20, files: 40, text: 300, path: 400, name: 200 } as const;

const turn = z.int().check(z.nonnegative());
const times = z.int().check(z.positive());
const text = z.string().check(z.minLength(1), z.maxLength(bounds.text));
const name = z.string().check(z.maxLength(bounds.name));
const path = z.string().check(z.minLength(1), z.maxLength(bounds.path));
const line = z.object({ turn, text });
const lines = z.array(line).check(z.maxLength(bounds.lines));

/** A file of the project that a session worked with. */
const workingFile = z.object({
  /** Relative to the project if it is in it, with `/`. */
  path,
  /** The turn in which it was last read or edited. */
  turn,
  reads: z.int().check(z.nonnegative()),
  edits: z.int().check(z.nonnegative()),
  /** Whether a check passed since the last edit; `read` for a file that was only read, or that no check verifies. */
  outcome: z.enum(["verified", "unverified", "read"]),
});

/** A way that led nowhere. */
const deadEnd = z.object({
  turn,
  /** What was tried. */
  text,
  how: z.enum(["failed", "reverted"]),
  times,
});

/** A repeated error, identified by its constant part. */
const errorCluster = z.object({
  turn,
  /** Hash of the tool or program, and of the error's text without numbers, times and addresses. */
  signature: name,
  tool: name,
  /** The line that describes the error best. */
  text,
  times,
  /** What was done before the error was gone. Null while it is not. */
  fix: z.nullable(line),
});

const openWork = z.object({
  turn,
  /**
   * `todo`: on the agent's own list. `unverified`: edited without a passed check since. `failing`: a check
   * that failed last.
   */
  kind: z.enum(["todo", "unverified", "failing"]),
  text,
});

/**
 * What the next session on the same work needs from a session. Deterministic; without secrets and file
 * contents.
 */
export const resumePacket = z.object({
  version: z.literal(1),
  sessionId: name,
  /** The agent's name among purser's adapters. */
  agent: name,
  model: z.nullable(name),
  /** The project's folder. */
  folder: z.nullable(path),
  branch: z.nullable(name),
  commit: z.nullable(name),
  /** When its last event happened. Milliseconds since the epoch. */
  at: z.nullable(z.number()),
  turns: turn,
  compactions: z.int().check(z.nonnegative()),
  /** The user's first and newest prompts. */
  asked: lines,
  done: lines,
  open: z.array(openWork).check(z.maxLength(bounds.lines)),
  /** Decisions and constraints in the user's words. */
  decisions: lines,
  /** Best first. */
  files: z.array(workingFile).check(z.maxLength(bounds.files)),
  deadEnds: z.array(deadEnd).check(z.maxLength(bounds.lines)),
  /** Observed conventions, such as the command that runs the tests. */
  conventions: z.array(z.object({ turn, text, times })).check(z.maxLength(bounds.lines)),
  errors: z.array(errorCluster).check(z.maxLength(bounds.lines)),
  /** The agent's last words at the end of its last turn. */
  lastReply: z.nullable(text),
});

export type ResumePacket = Readonly<z.infer<typeof resumePacket>>;
export type PacketLine = z.infer<typeof line>;
export type WorkingFile = z.infer<typeof workingFile>;
export type DeadEnd = z.infer<typeof deadEnd>;
export type ErrorCluster = z.infer<typeof errorCluster>;
export type OpenWork = z.infer<typeof openWork>;
