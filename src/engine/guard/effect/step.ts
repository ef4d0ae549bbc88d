import * as z from "zod/mini";
import { sha256Base64Url } from "../../base/hash.ts";
import { toolCallOf } from "../../hooks/event.ts";
import { guardFamilies } from "../../settings/guard.ts";
import { toolKind } from "../../transcripts/tool-kind.ts";

const hash = z.string().check(z.maxLength(10));
const use = z.nullable(z.string().check(z.maxLength(200)));
const [maxPrograms, maxThings] = [4, 8];

/** The parts of a tool call that outcomes compare: hashes, without its text. */
const callKey = z.object({
  kind: z.enum(["read", "search", "list", "command", "edit", "other"]),
  /** Equal for equal calls. */
  whole: hash,
  /** Its programs with their subcommands. */
  programs: z.readonly(z.array(hash).check(z.maxLength(maxPrograms))),
  /** Names of its files and other operands, without folders. */
  things: z.readonly(z.array(hash).check(z.maxLength(maxThings))),
  /** A command that tests, lints, builds or checks types. */
  isCheck: z.boolean(),
  /** Its exit code does not show its success: the last of several commands decides it. */
  hidesFailure: z.boolean(),
});
export type CallKey = Readonly<z.infer<typeof callKey>>;

/** Events in a chain of calls that decide outcomes. A chain belongs to a session or to a subagent. */
export const step = z.discriminatedUnion("type", [
  /** A call is about to run. `use` is the agent's id of the call; null if there is none. */
  z.object({ type: z.literal("begun"), use, call: callKey }),
  /** A call has run. */
  z.object({
    type: z.literal("ended"),
    use,
    call: callKey,
    result: z.enum(["succeeded", "failed", "unknown"]),
  }),
  /** A rule fired, after the step before. */
  z.object({
    type: z.literal("fired"),
    use,
    call: z.nullable(callKey),
    rule: z.string().check(z.maxLength(200)),
    family: z.enum(guardFamilies),
    done: z.string().check(z.maxLength(20)),
  }),
  /** The agent ended its turn. */
  z.object({ type: z.literal("stopped") }),
  /** The user wrote. */
  z.object({ type: z.literal("prompted") }),
  /** The session ended. */
  z.object({ type: z.literal("over") }),
]);
export type Step = z.infer<typeof step>;
export type Fired = Extract<Step, { type: "fired" }>;
export type Ended = Extract<Step, { type: "ended" }>;

/** Advice, a question or a denial that an agent or its user received. */
export interface Delivered extends Fired {
  readonly done: "advised" | "asked" | "denied";
}

export const outcomes = ["followed", "ignored", "overridden", "progress", "false", "unknown"] as const;
export type Outcome = (typeof outcomes)[number];

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

function isCheck([program = "", ...rest]: readonly string[]): boolean {
  if (checkers.has(program)) return true;
  if (!runners.has(program)) return false;
  return rest.some((word) => checkers.has(word) || checking.test(word));
}

interface ToolUse {
  readonly tool_name?: string | undefined;
  readonly tool_input?: unknown;
}

/** Maximum length compared, from the beginning of a command line. Characters. */
const maxCommandLength = 4000;

/** Returns the key of a call. */
export function callKeyOf(use: ToolUse): CallKey {
  const call = toolCallOf(use);
  const kind = toolKind(call.tool);
  const whole = sha256Base64Url(`${call.tool}\n${subjectOf(call, use.tool_input)}`, 10);
  if (call.kind === "command" && call.command !== null) {
    const line = call.command.slice(0, maxCommandLength);
    const parts = commandParts(line);
    const programs = parts.map(({ program }) => program);
    const things = parts.flatMap((part) => part.things);
    return {
      kind,
      whole,
      programs: hashes(programs, maxPrograms),
      things: hashes(things, maxThings),
      isCheck: parts.some(({ words }) => isCheck(words)),
      hidesFailure: /[;|\n]|2>/u.test(line.trim()),
    };
  }
  const file = call.kind === "edit" || call.kind === "read" ? call.file : null;
  const things = file === null ? [] : hashes([lastName(file)], maxThings);
  return { kind, whole, programs: [], things, isCheck: false, hidesFailure: false };
}

/** Tests whether two calls run the same program, or concern the same file or operand. */
export function isLike(one: CallKey, other: CallKey): boolean {
  return sharesThing(one, other) || one.programs.some((program) => other.programs.includes(program));
}

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
    return (call.command ?? "").trim().replaceAll(/\s+/gu, " ").slice(0, maxCommandLength);
  // A second edit of a file is another call, unless it writes the same.
  return JSON.stringify(input ?? null).slice(0, maxCommandLength);
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

function hashes(texts: readonly string[], max: number): string[] {
  return [...new Set(texts)].slice(0, max).map((text) => sha256Base64Url(text, 10));
}
