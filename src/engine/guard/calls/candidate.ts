import type { Invocation, ShellContext } from "../commands/invocation.ts";
import type { Effort } from "../effort.ts";
import { KnownPath } from "./known-path.ts";
import { testingSteps, wholly } from "./patterns.ts";
import { readOptions, type Options } from "./read-options.ts";
import { readStatements } from "./statements.ts";
import { isTestEnvironment, namesTestDatabase } from "./test-database.ts";

/** One invocation, with what several rules need of it reckoned once. */
export class Candidate {
  readonly invocation: Invocation;
  readonly context: ShellContext;
  /** What may still be done for the whole call. */
  readonly effort: Effort;
  #options: Options | undefined;
  #text: string | undefined;
  #lowerText: string | undefined;
  #statements: readonly string[] | undefined;
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

  /** Returns what is known of a path that it names, which all rules share. */
  pathOf(written: string): KnownPath {
    this.#paths ??= new Map();
    const known = this.#paths.get(written);
    if (known !== undefined) return known;
    const { folder, place } = this.invocation;
    const context = place === "here" ? this.context : { ...this.context, project: null };
    const made = new KnownPath(written, { folder, context, effort: this.effort });
    this.#paths.set(written, made);
    return made;
  }

  /** Its words joined by blanks, and its input. */
  get text(): string {
    this.#text ??= `${this.invocation.args.map(({ text }) => text).join(" ")}\n${this.invocation.input ?? ""}`;
    return this.#text;
  }

  get lowerText(): string {
    this.#lowerText ??= this.text.toLowerCase();
    return this.#lowerText;
  }

  /** It works on a database that is made for tests. */
  get isTesting(): boolean {
    const { environment, program } = this.invocation;
    this.#isTesting ??= isTestEnvironment(environment) || namesTestDatabase(program, this.options);
    return this.#isTesting;
  }

  /** The statements of SQL that it is given. */
  get statements(): readonly string[] {
    const { operands, values } = this.options;
    const given = [...operands, ...[...values.values()].flat()].map(({ text }) => text);
    this.#statements ??= [...given, this.invocation.input ?? ""].flatMap((text) =>
      readStatements(text, this.effort),
    );
    return this.#statements;
  }

  /** Tests whether a whole text is like a pattern. Of a long text, which several rules test, the answer is kept. */
  isLike(pattern: string, text: string): boolean {
    const known = text.length > longText ? this.#likesOf(pattern) : null;
    const before = known?.get(text);
    if (before !== undefined) return before;
    const compiled = wholly(pattern);
    if (!this.effort.take(testingSteps(compiled, text))) return false;
    const fits = compiled.testExact(text);
    known?.set(text, fits);
    return fits;
  }

  /** Returns the long texts that were tested against a pattern. */
  #likesOf(pattern: string): Map<string, boolean> {
    this.#likes ??= new Map();
    const known = this.#likes.get(pattern);
    if (known !== undefined) return known;
    const made = new Map<string, boolean>();
    this.#likes.set(pattern, made);
    return made;
  }
}

/** A shorter text is tested again. Characters. */
const longText = 500;
