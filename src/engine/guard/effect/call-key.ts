import { sha256Base64Url } from "../../base/hash.ts";
import { toolCallOf } from "../../hooks/event.ts";
import { toolKind, type ToolKind } from "../../transcripts/tool-kind.ts";

/** Programs that do nothing but check. */
const checkers = new Set(
  (
    "tsc vitest jest mocha ava eslint biome oxlint pytest tox nox ruff mypy pyright flake8 pylint phpunit phpstan rspec rubocop " +
    "ctest shellcheck golangci-lint staticcheck clippy-driver"
  ).split(" "),
);
/** Programs that check by one of their words. */
const runners = new Set(
  (
    "npm pnpm yarn bun deno npx make just task cargo go gradle gradlew mvn mvnw dotnet mix rake bundle composer swift bazel " +
    "python python3 node uv poetry hatch sbt zig"
  ).split(" "),
);
const checking =
  /(?:^|[:/_-])(?:tests?|spec|lint|check|checks|verify|types?|typecheck|tsc|build|vet|clippy|compile|ci)(?:$|[:/_.-])/iu;

/** Tests whether the words of a command run tests, a linter, a compiler or a type check. */
function isCheck([program = "", ...rest]: readonly string[]): boolean {
  if (checkers.has(program)) return true;
  if (!runners.has(program)) return false;
  return rest.some((word) => checkers.has(word) || checking.test(word));
}

/** The parts of a tool call that outcomes compare: hashes, without its text. */
export interface CallKey {
  readonly kind: ToolKind;
  /** Equal for equal calls. */
  readonly whole: string;
  /** Its programs with their subcommands. */
  readonly programs: readonly string[];
  /** Names of its files and other operands, without folders. */
  readonly things: readonly string[];
  /** A command that tests, lints, builds or checks types. */
  readonly isCheck: boolean;
  /** Its exit code does not show its success: the last of several commands decides it. */
  readonly hidesFailure: boolean;
}

interface ToolUse {
  readonly tool_name?: string | undefined;
  readonly tool_input?: unknown;
}

/** Maximum length compared, from the beginning of a command line. Characters. */
const longestCommand = 4000;
const [mostPrograms, mostThings] = [4, 8];

/** Returns the key of a call, as hooks report it before and after it. */
export function callKeyOf(use: ToolUse): CallKey {
  const call = toolCallOf(use);
  const kind = toolKind(call.tool);
  const whole = sha256Base64Url(`${call.tool}\n${subjectOf(call, use.tool_input)}`, 10);
  if (call.kind === "command" && call.command !== null) {
    const line = call.command.slice(0, longestCommand);
    const parts = commandParts(line);
    return {
      kind,
      whole,
      programs: hashes(
        parts.map(({ program }) => program),
        mostPrograms,
      ),
      things: hashes(
        parts.flatMap(({ things }) => things),
        mostThings,
      ),
      isCheck: parts.some(({ words }) => isCheck(words)),
      hidesFailure: /[;|\n]|2>/u.test(line.trim()),
    };
  }
  const file = (call.kind === "edit" || call.kind === "read") && call.file;
  const things = typeof file === "string" ? [lastName(file)] : [];
  return {
    kind,
    whole,
    programs: [],
    things: hashes(things, mostThings),
    isCheck: false,
    hidesFailure: false,
  };
}

/** Tests whether two calls run the same program, or concern the same file or operand. */
export function isLike(one: CallKey, other: CallKey): boolean {
  return sharesThing(one, other) || one.programs.some((program) => other.programs.includes(program));
}

/** Tests whether two calls concern the same file or operand. */
function sharesThing(one: CallKey, other: CallKey): boolean {
  return one.things.some((thing) => other.things.includes(thing));
}

/**
 * Tests whether two calls have the same subject: the same file or operand. If one of them names none, such as a push without a
 * branch, the same program suffices.
 */
export function concernsSame(one: CallKey, other: CallKey): boolean {
  return one.things.length === 0 || other.things.length === 0 ? isLike(one, other) : sharesThing(one, other);
}

function subjectOf(call: ReturnType<typeof toolCallOf>, input: unknown): string {
  if (call.kind === "command")
    return (call.command ?? "").trim().replaceAll(/\s+/gu, " ").slice(0, longestCommand);
  // A second edit of a file is another call, unless it writes the same.
  return JSON.stringify(input ?? null).slice(0, longestCommand);
}

interface CommandPart {
  readonly words: readonly string[];
  /** With its subcommand, if any. */
  readonly program: string;
  readonly things: readonly string[];
}

/** Programs with a subcommand as their first operand. */
const withSubcommands = new Set(
  (
    "git gh npm pnpm yarn npx bun deno docker podman kubectl helm cargo go pip pip3 uv poetry make just task " +
    "apt apt-get brew systemctl terraform aws az gcloud dotnet mvn gradle python python3 node"
  ).split(" "),
);
/** Wrappers before a program. */
const wrappers = new Set(["sudo", "env", "time", "timeout", "nohup", "command", "exec", "nice", "xargs"]);

/**
 * Reads a command line roughly. It is compared only with later commands of the same agent, and a missed program only makes an outcome
 * unknown.
 */
function commandParts(line: string): CommandPart[] {
  return line.split(/&&|\|\||[;|\n]/u).flatMap((part): CommandPart[] => {
    const words = part
      .trim()
      .split(/\s+/u)
      .map((word) => word.replace(/^["'(]+/u, "").replace(/(?<!["')])["')]+$/u, ""))
      .filter((word) => word !== "");
    const from = words.findIndex(
      (word) => !/^\w+=/u.test(word) && !wrappers.has(word) && !/^\d+s?$/u.test(word),
    );
    const [name, ...rest] = from === -1 ? [] : words.slice(from);
    if (name === undefined || name === "cd") return [];
    const program = lastName(name);
    const operands = rest.filter((word) => !word.startsWith("-") && !/^\d?[<>]/u.test(word));
    const hasSubcommand = withSubcommands.has(program) && operands.length > 0;
    const things = (hasSubcommand ? operands.slice(1) : operands).map(lastName);
    return [
      {
        words: [program, ...rest],
        program: hasSubcommand ? `${program} ${operands[0] ?? ""}` : program,
        things: things.filter((thing) => thing.length > 2),
      },
    ];
  });
}

function lastName(path: string): string {
  return (
    path
      .replaceAll("\\", "/")
      .replace(/(?<!\/)\/+$/u, "")
      .split("/")
      .at(-1) ?? path
  );
}

function hashes(texts: readonly string[], most: number): string[] {
  return [...new Set(texts)].slice(0, most).map((text) => sha256Base64Url(text, 10));
}
