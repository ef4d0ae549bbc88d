import type { Invocation, ShellContext } from "../commands/invocation.ts";
import { Candidate, matchesCommand, matchesFile, type FileCall } from "./match.ts";
import type { CommandMatch, FileMatch, GuardRule } from "./rule.ts";

/** A rule that fires on a call. */
export interface Hit {
  readonly rule: GuardRule;
  /** The part of the call that it fires on: a program with its words, or a file. */
  readonly excerpt: string;
  /** The command line could not be parsed and was read by its words: never a reason to deny. */
  readonly isGuess: boolean;
}

interface Indexed<Match> {
  readonly rule: GuardRule;
  readonly match: Match;
}

/** Rules by what they fire on, so that a call is tested only against those that could fire. */
export class RuleSet {
  readonly rules: readonly GuardRule[];
  readonly #byProgram = new Map<string, Indexed<CommandMatch>[]>();
  readonly #ofAnyProgram: Indexed<CommandMatch>[] = [];
  readonly #ofFiles: Indexed<FileMatch>[] = [];

  constructor(rules: readonly GuardRule[]) {
    this.rules = rules;
    for (const rule of rules) for (const match of rule.match) this.#index(rule, match);
  }

  /** Returns the rules that fire on a command line's invocations, each once, where it fires first. */
  hitsOfCommand(invocations: readonly Invocation[], context: ShellContext): Hit[] {
    const hits = new Map<string, Hit>();
    for (const invocation of invocations) {
      const candidate = new Candidate(invocation, context);
      const own = this.#byProgram.get(invocation.program) ?? [];
      const { isGuess } = invocation;
      for (const { rule, match } of [...own, ...this.#ofAnyProgram]) {
        const before = hits.get(rule.id);
        // A certain hit counts more than a guess.
        if (before !== undefined && (!before.isGuess || isGuess)) continue;
        if (matchesCommand(match, candidate))
          hits.set(rule.id, { rule, excerpt: excerptOf(invocation), isGuess });
      }
    }
    return [...hits.values()];
  }

  hitsOfFile(call: FileCall, context: ShellContext): Hit[] {
    const hits = new Map<string, Hit>();
    for (const { rule, match } of this.#ofFiles)
      if (!hits.has(rule.id) && matchesFile(match, call, context))
        hits.set(rule.id, { rule, excerpt: call.file, isGuess: false });
    return [...hits.values()];
  }

  #index(rule: GuardRule, match: CommandMatch | FileMatch): void {
    if ("tool" in match) {
      this.#ofFiles.push({ rule, match });
      return;
    }
    for (const program of match.program.split("|")) {
      if (program === "*") this.#ofAnyProgram.push({ rule, match });
      else {
        const known = this.#byProgram.get(program) ?? [];
        known.push({ rule, match });
        this.#byProgram.set(program, known);
      }
    }
  }
}

/** Longest excerpt of a command. Characters. */
const longestExcerpt = 200;

function excerptOf({ program, args, redirections }: Invocation): string {
  const arrows = redirections.map(({ kind, target }) => `${arrow[kind]} ${target.text}`);
  const text = [program, ...args.map((arg) => arg.text), ...arrows].filter((word) => word !== "").join(" ");
  return text.length > longestExcerpt ? `${text.slice(0, longestExcerpt)}…` : text;
}

const arrow = { write: ">", append: ">>", read: "<" } as const;
