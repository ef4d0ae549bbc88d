import {
  forEachChild,
  type Assignment,
  type CommandNode,
  type CompoundList,
  type ParsedScript,
  type PipelineNode,
  type Redirection as RedirectionNode,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { readingEffort, wordsEffort, type Effort } from "../effort.ts";
import { commandSteps, lookingSteps, parseableText, textSteps, type Parseable } from "./bounds.ts";
import { joinValues, readCommandVariable } from "./builtins.ts";
import {
  expandParts,
  expandText,
  expandWord,
  maxFields,
  substitutedText,
  type Output,
  type OutputOf,
} from "./expand.ts";
import {
  joinRuns,
  leftOut,
  linesOf,
  nothingRan,
  noInput,
  type Input,
  type Ran,
  type ScriptReader,
} from "./inner-scope.ts";
import {
  isCut,
  plainArgument,
  unknownPart,
  unknownText,
  type Argument,
  type Invocation,
  type Redirection,
  type ShellContext,
  type Shown,
} from "./invocation.ts";
import { printing } from "./known-output.ts";
import { looseInvocations } from "./loose.ts";
import { wordsWithin } from "./programs/typical-words.ts";
import { runLoosely, runWords } from "./run-words.ts";
import { bareInvocation, forkScope, newScope, takeFolders, type Scope } from "./scope.ts";
import { isForkBomb, parseScript } from "./scripts/parse-script.ts";
import { afterRedirections, isStandardOutput, lesserShown, redirectionKinds, shownAfter } from "./shown.ts";
import { StoredScripts, type StoredText } from "./stored/run-stored.ts";
import { inputOf } from "./written-files.ts";

/** Maximum depth of scripts within scripts. */
const maxDepth = 12;
/** Maximum invocations. */
const maxInvocations = 240;
/** Maximum rounds of a loop. With more, typical words represent all. */
const maxRounds = { whole: 8, typical: 64 };

/**
 * Reads a command line as a shell does, and returns every program that it would run, in order. Opens wrappers and scripts, and
 * follows known variables and folders. Nothing is run. A part that cannot be parsed is read by words, as is an oversized line.
 */
export function readCommandLine(
  text: string,
  context: ShellContext,
  effort: Effort = readingEffort(),
): Invocation[] {
  const reader = new Reader(effort);
  reader.read(text, newScope(context, effort), noInput);
  if (effort.isExceeded || reader.isFull) {
    const options = { isGuess: true, effort: wordsEffort() };
    reader.found.push(...looseInvocations(text, "shell", context, options));
  }
  if (reader.apart.isOwnUnread) effort.leaveOut();
  return [...reader.found, ...reader.apart.found];
}

/** Reads scripts and collects their invocations. */
export class Reader implements ScriptReader {
  readonly found: Invocation[] = [];
  /** Outputs of substitutions, each read once. */
  readonly #outputs = new Map<ParsedScript, Output>();
  /** The text to parse for each script; null for none. */
  readonly #parseables = new Map<string, Parseable | null>();
  readonly apart: StoredScripts;
  readonly #effort: Effort;
  #isGuess = false;

  constructor(effort: Effort, apart = new StoredScripts()) {
    this.#effort = effort;
    this.apart = apart;
  }

  get isGuess(): boolean {
    return this.#isGuess;
  }

  get isFull(): boolean {
    return this.found.length >= maxInvocations;
  }

  add(invocation: Invocation): void {
    if (this.isFull) this.#effort.leaveOut();
    else this.found.push(invocation);
  }

  read(text: string, scope: Scope, input: Input): Ran {
    if (isCut(text)) this.#effort.leaveOut();
    if (scope.depth > maxDepth || this.isFull) return leftOut(this.#effort);
    if (!this.#effort.take(lookingSteps(text))) return nothingRan;
    const short = this.#parseable(text);
    if (short !== null && !this.#effort.take(short.steps)) return nothingRan;
    const script = short === null ? null : parseScript(short, this.#effort);
    const commands = script?.commands ?? [];
    const [error] = script?.errors ?? [];
    if (script !== null && error === undefined) return this.#statements(commands, scope, input);
    // A shell runs the lines before the one with the error.
    const line = error === undefined ? 0 : (short?.text.lastIndexOf("\n", error.pos - 1) ?? 0);
    const certain = commands.filter(({ end }) => end <= line);
    if (certain.length > 0) this.#statements(certain, scope, input);
    const wasGuess = this.#isGuess;
    this.#isGuess = true;
    const ran = script === null ? nothingRan : this.#statements(commands.slice(certain.length), scope, input);
    runLoosely(short?.text ?? text, "shell", { reader: this, scope });
    this.#isGuess = wasGuess;
    return ran;
  }

  /** Cached, as a loop may run the same script many times. */
  #parseable(text: string): Parseable | null {
    const known = this.#parseables.get(text);
    if (known !== undefined) return known;
    const made = parseableText(text);
    this.#parseables.set(text, made);
    return made;
  }

  hasRead(key: string): boolean {
    return this.apart.has(key);
  }

  readApart(key: string, read: (reader: ScriptReader, effort: Effort) => void, about: StoredText): void {
    const found = (effort: Effort) => {
      const reader = new Reader(effort, this.apart);
      read(reader, effort);
      return reader.found;
    };
    this.apart.read(key, found, about);
  }

  readonly outputOf: OutputOf = (script, scope, written) => this.#outputShown(script, scope, "none", written);

  #outputShown(script: ParsedScript, scope: Scope, shown: Shown, written = ""): Output {
    const known = this.#outputs.get(script);
    if (known !== undefined) return known;
    // Prevents recursion, as in loops.
    this.#outputs.set(script, { text: unknownPart, from: [] });
    const own = forkScope(scope, { shown });
    const ran = scope.depth > maxDepth ? leftOut(this.#effort) : this.#substituted(script, own, written);
    const output = { text: ran.text?.replace(/(?<!\n)\n+$/u, "") ?? unknownPart, from: ran.programs };
    this.#outputs.set(script, output);
    return output;
  }

  /** `$(< FILE)` alone prints the file. What the parser skipped is read by words. */
  #substituted({ commands, errors = [] }: ParsedScript, scope: Scope, written: string): Ran {
    if (errors.length > 0 && written !== "") return this.read(substitutedText(written), scope, noInput);
    const [only] = commands;
    const node = only?.command.type === "Command" && commands.length === 1 ? only.command : undefined;
    const isBare = node?.name === undefined && node?.prefix.every(({ type }) => type !== "Assignment");
    if (node === undefined || isBare !== true) return this.#statements(commands, scope, noInput);
    const { redirections, input } = this.#redirections(node.redirects, scope, noInput);
    return runWords([plainArgument("cat")], redirections, { reader: this, scope, outer: scope, input });
  }

  callFunction(body: CompoundList | CommandNode, scope: Scope, input: Input): Ran {
    if (scope.depth > maxDepth) return leftOut(this.#effort);
    return body.type === "CompoundList"
      ? this.#statements(body.commands, scope, input)
      : this.#command(body, scope, input);
  }

  #statements(statements: readonly Statement[], scope: Scope, input: Input): Ran {
    if (!this.#effort.take(statements.length)) return nothingRan;
    const all = statements.map(({ command, background }) => {
      const own = background === true ? forkScope(scope, { shown: lesserShown(scope.shown, "part") }) : scope;
      if (command.type !== "AndOr") return this.#pipeline(command, own, input);
      return this.#joined(command.commands.map((each) => this.#pipeline(each, own, input)));
    });
    return this.#joined(all);
  }

  #joined(all: readonly Ran[]): Ran {
    const [only] = all;
    if (only !== undefined && all.length === 1) return only;
    const size = all.reduce((sum, { programs, text }) => sum + programs.length + textSteps(text), 0);
    return this.#effort.take(size) ? joinRuns(all) : nothingRan;
  }

  #pipeline(node: PipelineNode, scope: Scope, input: Input): Ran {
    if (node.type !== "Pipeline") return this.#command(node, scope, input);
    let last: Ran = nothingRan;
    let piped = input;
    const isAlone = node.commands.length === 1;
    for (const [index, command] of node.commands.entries()) {
      if (!this.#effort.take(node.commands.length + piped.from.length)) return nothingRan;
      const shown = isAlone
        ? scope.shown
        : lesserShown(scope.shown, shownAfter(node.commands.slice(index + 1)));
      last = this.#command(command, isAlone ? scope : forkScope(scope, { shown }), piped);
      piped = { from: [...piped.from, ...last.programs], text: last.text };
    }
    return { programs: piped.from.slice(input.from.length), text: last.text };
  }

  #command(node: CommandNode, scope: Scope, input: Input): Ran {
    if (!this.#effort.take(commandSteps(node.end - node.pos))) return nothingRan;
    switch (node.type) {
      case "Command": {
        const assignments = node.prefix.filter((each) => each.type === "Assignment");
        const { redirections, input: read } = this.#redirections(node.redirects, scope, input);
        const shown = afterRedirections(scope.shown, redirections);
        const printed: OutputOf = printing.has(node.name?.value ?? "")
          ? (script, of, written) => this.#outputShown(script, of, shown, written)
          : this.outputOf;
        const named = node.name === undefined ? [] : expandWord(node.name, scope, this.outputOf);
        const args = node.args.flatMap((arg) =>
          arg.type === "Word" ? expandWord(arg, scope, printed) : this.#assigned(arg, scope),
        );
        this.#nested(node, scope);
        if (named.length + args.length === 0) {
          for (const each of assignments) this.#assign(each, scope);
          if (redirections.length > 0) this.#addBare(scope, { redirections });
          return { programs: read.from, text: null };
        }
        const own = assignments.length === 0 ? scope : forkScope(scope);
        for (const each of assignments) this.#assign(each, own);
        if (assignments.length > 0) {
          // Assignments before a command are those of env.
          const assigned = assignments.flatMap((each) => this.#assigned(each, scope));
          this.#addBare(own, { program: "env", args: [...assigned, ...named, ...args] });
        }
        return runWords([...named, ...args], redirections, {
          reader: this,
          scope: own,
          outer: scope,
          input: read,
        });
      }
      case "Redirected": {
        const { redirections, input: read } = this.#redirections(node.redirects, scope, input);
        if (redirections.length > 0) this.#addBare(scope, { redirections });
        const shown = afterRedirections(scope.shown, redirections);
        const own = shown === scope.shown ? scope : { ...scope, shown };
        const ran = this.#command(node.command, own, read);
        takeFolders(scope, own);
        return ran;
      }
      case "Subshell":
        return this.#statements(node.body.commands, forkScope(scope), input);
      case "BraceGroup":
        return this.#statements(node.body.commands, scope, input);
      case "If": {
        const branches = [node.clause, node.then, ...node.elif.flatMap(({ clause, then }) => [clause, then])];
        const all = node.else === undefined ? branches : [...branches, node.else];
        return this.#joined(all.map((list) => this.#statements(list.commands, scope, input)));
      }
      case "While":
        return this.#joined(
          linesOf(input, maxRounds, this.#effort).flatMap((line) => [
            this.#statements(node.clause.commands, scope, line),
            this.#statements(node.body.commands, scope, line),
          ]),
        );
      case "For":
      case "Select":
        return this.#loop(node, scope, input);
      case "ArithmeticFor":
        this.#nested(node, scope);
        return this.#statements(node.body.commands, scope, input);
      case "Case":
        return this.#joined(node.items.map(({ body }) => this.#statements(body.commands, scope, input)));
      case "Function":
        scope.functions.set(node.name.value, node.body);
        if (isForkBomb(node.name.value, node.body)) this.#addBare(scope, { program: "fork-bomb" });
        return nothingRan;
      case "Coproc":
        return this.callFunction(node.body, forkScope(scope), noInput);
      case "TestCommand":
      case "ArithmeticCommand":
        this.#nested(node, scope);
        return nothingRan;
    }
  }

  #loop(node: Extract<CommandNode, { type: "For" | "Select" }>, scope: Scope, input: Input): Ran {
    const words = node.wordlist?.flatMap((word) => expandWord(word, scope, this.outputOf)) ?? [
      plainArgument(unknownText),
    ];
    const rounds = wordsWithin(words, maxRounds, this.#effort);
    return this.#joined(
      rounds.map((word) => {
        scope.variables.set(node.name.value, [word]);
        return this.#statements(node.body.commands, scope, input);
      }),
    );
  }

  #assign({ name, value, append, index }: Assignment, scope: Scope): void {
    if (index !== undefined && value.type === "Word") {
      const key = expandText(index, scope, this.outputOf).text;
      const element = expandText(value, scope, this.outputOf);
      if (name === "BASH_ALIASES") scope.aliases.set(key, element.text);
      const all = [...(scope.variables.get(name) ?? []), { ...element, text: `[${key}]=${element.text}` }];
      scope.variables.set(name, this.#effort.take(all.length) ? all.slice(-maxFields) : []);
      return;
    }
    const added =
      value.type === "ArrayValue"
        ? value.elements.flatMap((word) => expandWord(word, scope, this.outputOf))
        : [expandText(value, scope, this.outputOf)];
    const known = append === true ? (scope.variables.get(name) ?? []) : [];
    const before = this.#effort.take(known.length) ? known : [];
    const joined = joinValues(before, added, { isText: value.type === "Word", effort: this.#effort });
    scope.variables.set(name, joined);
    readCommandVariable(name, joined[0]?.text ?? "", scope, this);
  }

  /** Returns an assignment among a command's words, such as those of `export` and `dd`. */
  #assigned(node: Assignment, scope: Scope): Argument[] {
    if (node.value.type === "ArrayValue") {
      this.#assign(node, scope);
      return [];
    }
    const value = expandText(node.value, scope, this.outputOf);
    return [{ ...value, text: `${node.name}${node.append === true ? "+" : ""}=${value.text}` }];
  }

  #redirections(
    nodes: readonly RedirectionNode[],
    scope: Scope,
    before: Input,
  ): { readonly redirections: Redirection[]; readonly input: Input } {
    let input = before;
    const redirections: Redirection[] = [];
    for (const node of nodes) {
      if (node.type === "HereDoc") {
        const { parts, text } = node.body;
        input = { from: [], text: parts === undefined ? text : expandParts(parts, scope, this.outputOf) };
      } else if (node.type === "HereString") {
        const { text, from } = expandText(node.target, scope, this.outputOf);
        input = { from, text: `${text}\n` };
      } else {
        const target = expandText(node.target, scope, this.outputOf);
        const kind = redirectionKinds[node.operator];
        const isDescriptor = node.operator.includes("&") && /^(?:\d+|-|\d+-)$/u.test(target.text);
        if (kind === undefined || isDescriptor) continue;
        if (kind === "read") input = inputOf(target, scope);
        redirections.push({ kind, target, isOutput: isStandardOutput(node) });
      }
    }
    return { redirections, input };
  }

  /** Reads substitutions outside of words, such as those in arithmetic. */
  #nested(node: SyntaxNode, scope: Scope): void {
    forEachChild(node, (child) => {
      if (child.type === "Script") this.outputOf(child, scope);
      else if (child.type !== "Word" || /[(`{]/u.test(child.text)) this.#nested(child, scope);
    });
  }

  #addBare(scope: Scope, parts: Partial<Invocation>): void {
    this.add({ ...bareInvocation(scope, this.#isGuess), ...parts });
  }
}
