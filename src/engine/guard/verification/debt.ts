import * as z from "zod/mini";
import { checkKinds, type CheckKind } from "./check-outcome.ts";
import type { ProjectCheck } from "./project-checks.ts";

const maxFiles = 200;
/** Maximum length of a name. Characters. */
const maxNameLength = 500;
const maxRuns = 8;
const names = z.array(z.string().check(z.maxLength(maxNameLength))).check(z.maxLength(maxFiles));

/** A check that ran. */
const run = z.object({
  kind: z.enum(checkKinds),
  command: z.string().check(z.maxLength(200)),
  hasPassed: z.boolean(),
  /** Number of edits before it ran. */
  after: z.int().check(z.nonnegative()),
});

export const verificationDebt = z.object({
  /** Code files edited since a check passed. */
  unverified: names,
  /** Code files without a failed check since their last edit. */
  verified: names,
  /** Edits of code in the session. */
  edits: z.int().check(z.nonnegative()),
  /** Number of edits when the last check ran, passed or not. */
  checkedAfter: z.int().check(z.nonnegative()),
  /** The last run of each kind of check, the latest last. */
  runs: z.array(run).check(z.maxLength(maxRuns)),
  /** How often the number of edits before advice has doubled, after sent advice. */
  told: z.int().check(z.nonnegative()),
  /** How often it would have doubled since, in observe mode. */
  unsaid: z._default(z.int().check(z.nonnegative()), 0),
});
/** Unchecked edits of a session, and its checks. */
export type VerificationDebt = Readonly<z.infer<typeof verificationDebt>>;

export const noDebt: VerificationDebt = {
  unverified: [],
  verified: [],
  edits: 0,
  checkedAfter: 0,
  runs: [],
  told: 0,
  unsaid: 0,
};

/** Text and pictures are verified by looking at them. */
const prose =
  /(?:\.(?:md|mdx|markdown|txt|rst|adoc|asciidoc|org|log|csv|tsv|svg|png|jpe?g|gif|webp|ico|pdf|docx?)|(?:^|[\\/])(?:LICEN[CS]E|NOTICE|AUTHORS|CHANGELOG|README|CODEOWNERS|\.git(?:ignore|attributes)))$/iu;

/** Tests whether a check of the project could verify an edit of a file. */
export function isCode(file: string): boolean {
  return !prose.test(file);
}

/** Returns the debt after an edit of files. Only code counts. */
export function afterEdit(debt: VerificationDebt, files: readonly string[]): VerificationDebt {
  const code = [...new Set(files.filter(isCode).map((file) => file.slice(0, maxNameLength)))];
  if (code.length === 0) return debt;
  return {
    ...debt,
    unverified: joined(debt.unverified, code),
    verified: debt.verified.filter((file) => !code.includes(file)),
    edits: debt.edits + 1,
  };
}

/**
 * Returns the debt after a command with checks. If it passed, or its outcome is unknown, it verifies the files edited before. If it
 * failed, it verifies nothing, but shows the state of the work.
 */
export function afterChecks(
  debt: VerificationDebt,
  {
    kinds,
    command,
    hasFailed,
  }: { readonly kinds: readonly CheckKind[]; readonly command: string; readonly hasFailed: boolean },
): VerificationDebt {
  if (kinds.length === 0) return debt;
  const others = debt.runs.filter(({ kind }) => !kinds.includes(kind));
  const own = kinds.map((kind) => ({
    kind,
    command: command.slice(0, 200),
    hasPassed: !hasFailed,
    after: debt.edits,
  }));
  const ran = { ...debt, checkedAfter: debt.edits, runs: [...others, ...own].slice(-maxRuns) };
  if (hasFailed) return ran;
  return { ...ran, unverified: [], verified: joined(debt.verified, debt.unverified) };
}

/** Returns the number of code edits since the last check. */
export function uncheckedEdits({ edits, checkedAfter }: VerificationDebt): number {
  return edits - checkedAfter;
}

/** Returns the project's checks of kinds that did not run since the last code edit. */
export function checksNotRun(debt: VerificationDebt, checks: readonly ProjectCheck[]): ProjectCheck[] {
  return checks.filter(
    ({ kind }) => !debt.runs.some((each) => each.kind === kind && each.after === debt.edits),
  );
}

function joined(files: readonly string[], added: readonly string[]): string[] {
  return [...files.filter((file) => !added.includes(file)), ...added].slice(-maxFiles);
}
