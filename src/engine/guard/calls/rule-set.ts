import { matchingEffort, type Effort } from "../effort.ts";
import type { Argument, Invocation, ShellContext } from "../commands/invocation.ts";
import { Candidate, KnownPath } from "./candidate.ts";
import { inOneShape, matchesCommand, matchesFile, type FileCall } from "./match.ts";
import { placePath } from "./path-kinds.ts";
import { type CommandMatch, type FileMatch, type GuardRule } from "./rule.ts";
import { actionOf } from "./rule-action.ts";

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
  /** Its place among all. */
  readonly order: number;
}

/** The matches for a program, or for a program and its first word. */
class MatchGroup {
  readonly matches: Indexed<CommandMatch>[] = [];
  readonly byWord = new Map<string, MatchGroup>();
  /** All matches to test, in order: for an invocation that writes a file, and for one that does not. */
  #tested: { writing?: readonly Indexed<CommandMatch>[]; other?: readonly Indexed<CommandMatch>[] } = {};

  tested(
    isWriting: boolean,
    others: () => readonly (readonly Indexed<CommandMatch>[])[],
  ): readonly Indexed<CommandMatch>[] {
    const key = isWriting ? "writing" : "other";
    return (this.#tested[key] ??= [this.matches, ...others()].flat().sort((a, b) => a.order - b.order));
  }
}

/** Rules by program and tool, so that a call is tested only against rules that could fire. */
export class RuleSet {
  readonly rules: readonly GuardRule[];
  readonly #byProgram = new Map<string, MatchGroup>();
  /** For programs that no rule names. */
  readonly #ofOtherPrograms = new MatchGroup();
  readonly #ofAnyProgram: Indexed<CommandMatch>[] = [];
  /** Matches for any program that test written files. */
  readonly #ofWriters: Indexed<CommandMatch>[] = [];
  readonly #ofFiles: Indexed<FileMatch>[] = [];
  #size = 0;

  constructor(rules: readonly GuardRule[]) {
    this.rules = rules;
    for (const rule of rules) for (const match of rule.match) this.#index(rule, match);
  }

  /**
   * Returns the rules that fire on a command line's invocations, each once, where it fires first. If testing all is too much, some are
   * left out, and the effort records it.
   */
  hitsOfCommand(invocations: readonly Invocation[], context: ShellContext, effort: Effort): Hit[] {
    if (this.rules.length === 0) return [];
    const hits = new Map<string, Hit>();
    // Scripts have their own effort, so that each command of the line itself is judged.
    const storedEffort = matchingEffort();
    for (const invocation of inTestOrder(withoutRepeated(invocations))) {
      const own = invocation.isStored === true ? storedEffort : effort;
      const candidate = new Candidate(invocation, context, own);
      const { isGuess } = invocation;
      for (const { rule, match } of this.#concerning(candidate)) {
        const before = hits.size === 0 ? undefined : hits.get(rule.id);
        // A certain hit counts more than a guess.
        if (before !== undefined && (!before.isGuess || isGuess)) continue;
        // Advice is about the agent's own choice of words, which a project's script is not.
        if (invocation.isStored === true && actionOf(rule) === "advise") continue;
        if (matchesCommand(match, candidate))
          hits.set(rule.id, { rule, excerpt: excerptOf(invocation), isGuess });
      }
    }
    return [...hits.values()];
  }

  #concerning({ invocation, options }: Candidate): readonly Indexed<CommandMatch>[] {
    const { program, redirections } = invocation;
    const ofProgram = this.#byProgram.get(program) ?? this.#ofOtherPrograms;
    const word = ofProgram.byWord.size === 0 ? undefined : options.operands[0]?.text;
    const ofWord = word === undefined ? undefined : ofProgram.byWord.get(word);
    const isWriting = redirections.length > 0;
    return (ofWord ?? ofProgram).tested(isWriting, () => [
      ...(ofWord === undefined ? [] : [ofProgram.matches]),
      this.#ofAnyProgram,
      ...(isWriting ? [this.#ofWriters] : []),
    ]);
  }

  hitsOfFile(call: FileCall, context: ShellContext, effort: Effort): Hit[] {
    const hits = new Map<string, Hit>();
    const path = new KnownPath(placePath(call.file, context.folder, context));
    for (const { rule, match } of this.#ofFiles)
      if (!hits.has(rule.id) && matchesFile(match, call, { path, effort }))
        hits.set(rule.id, { rule, excerpt: call.file, isGuess: false });
    return [...hits.values()];
  }

  #index(rule: GuardRule, match: CommandMatch | FileMatch): void {
    const order = this.#size;
    this.#size += 1;
    if ("tool" in match) {
      this.#ofFiles.push({ rule, match, order });
      return;
    }
    const indexed = { rule, match: inOneShape(match), order };
    const firstWords = match.words?.split("|").map((words) => words.split(" ", 1)[0]) ?? [undefined];
    for (const program of match.program.split("|")) {
      if (program === "*") (match.writes === undefined ? this.#ofAnyProgram : this.#ofWriters).push(indexed);
      else {
        const ofProgram = groupAt(this.#byProgram, program);
        for (const word of new Set(firstWords))
          (word === undefined ? ofProgram : groupAt(ofProgram.byWord, word)).matches.push(indexed);
      }
    }
  }
}

function groupAt(groups: Map<string, MatchGroup>, key: string): MatchGroup {
  const known = groups.get(key);
  if (known !== undefined) return known;
  const made = new MatchGroup();
  groups.set(key, made);
  return made;
}

/** Fewer invocations are not compared with each other. */
const fewInvocations = 8;
/** Invocations with longer texts are not compared. Characters. */
const maxComparedLength = 300;

/** Drops invocations that equal an earlier one in all that rules test: the same rules fire on them. */
function withoutRepeated(invocations: readonly Invocation[]): readonly Invocation[] {
  if (invocations.length < fewInvocations) return invocations;
  const known = new Set<string>();
  return invocations.filter((invocation) => {
    if (sizeOfTexts(invocation) > maxComparedLength) return true;
    const identity = identityOf(invocation);
    const isNew = !known.has(identity);
    known.add(identity);
    return isNew;
  });
}

/** Returns a text that is the same only for equal invocations. One flat list is much faster to write than objects. */
export function identityOf({
  program,
  args,
  redirections,
  from,
  runs,
  input,
  via,
  folder,
  place,
  shown,
  environment,
  isGuess,
  isStored,
  ...others
}: Invocation): string {
  // This fails to compile if a new part of invocations is not compared.
  others satisfies Record<string, never>;
  const parts: (string | number | boolean | null)[] = [
    program,
    folder,
    place,
    shown,
    isGuess,
    isStored === true,
    input,
  ];
  const addArgument = ({ text, isPattern, from: sources }: Argument): void => {
    parts.push(text, isPattern, sources.length, ...sources);
  };
  parts.push(args.length);
  for (const arg of args) addArgument(arg);
  parts.push(redirections.length);
  for (const { kind, target, isOutput } of redirections) {
    parts.push(kind, isOutput);
    addArgument(target);
  }
  for (const list of [from, runs, via]) parts.push(list.length, ...list);
  parts.push(environment.length);
  for (const [name, value] of environment) parts.push(name, value);
  return JSON.stringify(parts);
}

/** Returns the size of an invocation: characters, and some for each word and source. */
function sizeOfTexts({ args, redirections, environment, from, runs, via, input }: Invocation): number {
  let size = (input?.length ?? 0) + (from.length + runs.length + via.length) * 8;
  const words = args.length + redirections.length + environment.length;
  if (words > maxComparedLength / 8) return Infinity;
  for (const { text, from: printing } of args) size += text.length + printing.length * 8;
  for (const { target } of redirections) size += target.text.length + target.from.length * 8;
  for (const [name, value] of environment) size += name.length + value.length;
  return size;
}

/**
 * Returns the invocations in the order of testing: the smallest of each program first, then the next of each program. Neither
 * a large one nor many of one program use up the effort for others.
 */
function inTestOrder(invocations: readonly Invocation[]): readonly Invocation[] {
  if (invocations.length < 2) return invocations;
  const ranks = new Map<string, number>();
  return invocations
    .map((invocation) => ({ invocation, size: sizeOf(invocation) }))
    .sort((a, b) => a.size - b.size)
    .map(({ invocation }) => {
      const kind = `${invocation.program} ${invocation.isGuess}`;
      const rank = ranks.get(kind) ?? 0;
      ranks.set(kind, rank + 1);
      return { invocation, rank };
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ invocation }) => invocation);
}

function sizeOf({ args, redirections, input }: Invocation): number {
  return 1 + args.length + redirections.length + Math.floor((input?.length ?? 0) / 20);
}

/** Longest excerpt of a command. Characters. */
const maxExcerptLength = 200;

function excerptOf({ program, args, redirections }: Invocation): string {
  const arrows = redirections.map(({ kind, target }) => `${arrow[kind]} ${target.text}`);
  const text = [program, ...args.map((arg) => arg.text), ...arrows].filter((word) => word !== "").join(" ");
  return excerptOfText(text);
}

/** Returns the beginning of a text, to be shown. */
export function excerptOfText(text: string): string {
  return text.length > maxExcerptLength ? `${text.slice(0, maxExcerptLength)}…` : text;
}

const arrow = { write: ">", append: ">>", read: "<" } as const;
