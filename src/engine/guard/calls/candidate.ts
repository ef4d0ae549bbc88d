import type { Invocation, ShellContext } from "../commands/invocation.ts";
import type { Effort } from "../effort.ts";
import { wholly } from "./patterns.ts";
import { isPathKind, pathKinds, placePath, type PathKind, type PlacedPath } from "./path-kinds.ts";
import { foldCase } from "./pattern-parts.ts";
import { readOptions, type Options } from "./read-options.ts";
import { readStatements } from "./statements.ts";
import { isTestEnvironment, namesTestDatabase } from "./test-database.ts";

/** Steps for making a path absolute, in addition to its text. */
const placingSteps = 6;
/** Characters that are placed in one step. */
const placedCharacters = 4;
/** Steps for testing one kind, in addition to the path's text. */
const kindSteps = 2;
/** Characters that are tested in one step. */
const testedCharacters = 32;

/** A path that a command names. Each of its kinds is determined once. */
export class KnownPath {
  readonly #placed: PlacedPath | null;
  /** Steps that each new kind takes; null for free ones. */
  readonly #effort: Effort | null;
  readonly #kinds = new Map<PathKind, boolean>();

  /** @param placed null if placing it was too much */
  constructor(placed: PlacedPath | null, effort: Effort | null = null) {
    this.#placed = placed;
    this.#effort = effort;
  }

  /** The absolute path, as far as it is known. */
  get full(): string {
    return this.#placed?.full ?? "";
  }

  /** Tests whether it has one of the kinds in a list. */
  isOne(list: string): boolean {
    for (const kind of kindsIn(list)) if (this.#is(kind)) return true;
    return false;
  }

  #is(kind: PathKind): boolean {
    const known = this.#kinds.get(kind);
    if (known !== undefined) return known;
    if (this.#placed === null) return false;
    const steps = kindSteps + Math.floor(this.#placed.full.length / testedCharacters);
    const isKind = this.#effort?.take(steps) !== false && isPathKind(kind, this.#placed);
    this.#kinds.set(kind, isKind);
    return isKind;
  }
}

const kindLists = new Map<string, readonly PathKind[]>();

/** Returns the kinds of a list that `|` separates. */
function kindsIn(list: string): readonly PathKind[] {
  const known = kindLists.get(list);
  if (known !== undefined) return known;
  const kinds = list.split("|").map((name) => {
    const kind = pathKinds.find((each) => each === name);
    if (kind === undefined) throw new Error(`No kind of path is named ${name}`);
    return kind;
  });
  kindLists.set(list, kinds);
  return kinds;
}

/** One invocation, with values that several rules need and that are computed once. */
export class Candidate {
  readonly invocation: Invocation;
  readonly context: ShellContext;
  /** Steps that are left for the whole call. */
  readonly effort: Effort;
  #options: Options | undefined;
  #text: string | undefined;
  #foldedText: string | undefined;
  #statements: readonly string[] | undefined;
  #isHelp: boolean | undefined;
  #isTesting: boolean | undefined;
  #paths: Map<string, KnownPath> | undefined;
  #likes: Map<string, Map<string, boolean>> | undefined;

  constructor(invocation: Invocation, context: ShellContext, effort: Effort) {
    this.invocation = invocation;
    this.context = context;
    this.effort = effort;
  }

  get options(): Options {
    this.#options ??= readOptions(this.invocation.program, this.invocation.args);
    return this.#options;
  }

  /** Returns a path that it names. All rules share its kinds. */
  pathOf(written: string): KnownPath {
    this.#paths ??= new Map();
    const known = this.#paths.get(written);
    if (known !== undefined) return known;
    const { folder, place } = this.invocation;
    const context = place === "here" ? this.context : { ...this.context, project: null };
    const isGranted = this.effort.take(placingSteps + Math.ceil(written.length / placedCharacters));
    const made = new KnownPath(isGranted ? placePath(written, folder, context) : null, this.effort);
    this.#paths.set(written, made);
    return made;
  }

  /** Its words joined by blanks, and its input. */
  get text(): string {
    this.#text ??= `${this.invocation.args.map(({ text }) => text).join(" ")}\n${this.invocation.input ?? ""}`;
    return this.#text;
  }

  get foldedText(): string {
    this.#foldedText ??= foldCase(this.text);
    return this.#foldedText;
  }

  /** Whether it only prints its help. */
  get isHelp(): boolean {
    this.#isHelp ??= this.options.flags.includes("--help") || this.options.flags.includes("-help");
    return this.#isHelp;
  }

  /** Whether it works on a test database. */
  get isTesting(): boolean {
    const { environment, program } = this.invocation;
    this.#isTesting ??= isTestEnvironment(environment) || namesTestDatabase(program, this.options);
    return this.#isTesting;
  }

  /** Its SQL statements. */
  get statements(): readonly string[] {
    this.#statements ??= this.#givenTexts().flatMap((text) => readStatements(text, this.effort));
    return this.#statements;
  }

  #givenTexts(): readonly string[] {
    const { operands, values } = this.options;
    return [
      ...[...operands, ...[...values.values()].flat()].map(({ text }) => text),
      this.invocation.input ?? "",
    ];
  }

  /** Tests whether a whole text matches a pattern. Results for long texts are cached. */
  isLike(pattern: string, text: string): boolean {
    const known = text.length > longText ? this.#likesOf(pattern) : null;
    const before = known?.get(text);
    if (before !== undefined) return before;
    const texts = plainTexts(pattern);
    if (texts !== null)
      return this.effort.take(1 + Math.floor(pattern.length / plainCharacters)) && texts.has(text);
    const fits = wholly(pattern).isWhole(text, this.effort);
    if (fits !== null) known?.set(text, fits);
    return fits === true;
  }

  /** Returns the cached results of a pattern. */
  #likesOf(pattern: string): Map<string, boolean> {
    this.#likes ??= new Map();
    const known = this.#likes.get(pattern);
    if (known !== undefined) return known;
    const made = new Map<string, boolean>();
    this.#likes.set(pattern, made);
    return made;
  }
}

/** A pattern of plain texts with | between them. */
const plainPattern = /^[\w:/=@,#~%-]*(?:\|[\w:/=@,#~%-]*)*$/u;
const plainPatterns = new Map<string, ReadonlySet<string> | null>();

/** Returns the texts of such a pattern, which are compared without an expression: that would take memory. Null for another pattern. */
function plainTexts(pattern: string): ReadonlySet<string> | null {
  const known = plainPatterns.get(pattern);
  if (known !== undefined) return known;
  const texts = plainPattern.test(pattern) ? new Set(pattern.split("|")) : null;
  plainPatterns.set(pattern, texts);
  return texts;
}

/** Characters of such texts that are compared in one step. */
const plainCharacters = 64;

/** Results for shorter texts are not cached. Characters. */
const longText = 500;
