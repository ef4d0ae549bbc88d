import { wholeNumber } from "../../base/format.ts";
import {
  replaceableToolOutput,
  isNestedCall,
  type HookAnswer,
  type EventNamed,
  mayReplace,
  replaceableOutput,
  type ReplaceableOutput,
} from "../../hooks/event.ts";
import { defaultHookContext, type HookContext, type HookHandler } from "../../hooks/hooks-handler.ts";
import type { HookCaller } from "../../hooks/program.ts";
import type { GuardMode } from "../../settings/guard.ts";
import { hitEntry, type GuardHitEntry } from "../hit-entry.ts";
import type { Shortened } from "./compress-from.ts";
import type { MadeSmaller } from "./follow-ups.ts";
import { outputSource, type OutputSource } from "./tool-answers.ts";

/** Facts stored with an original. */
export interface AboutOriginal {
  readonly compressor: string;
  /** Id of the hit in the ledger. */
  readonly hit: string;
  readonly session: string;
  readonly program: string;
  /** The whole command line, or another tool's call in one line. */
  readonly line: string;
}

/** The originals of shortened outputs. */
interface OutputStore {
  /** Stores a text and returns its id; null if that fails. */
  readonly keep: (text: string, about: AboutOriginal) => Promise<string | null>;
  readonly forget: (id: string) => Promise<void>;
  /** Returns how an agent reads one: a command, or a file. */
  readonly place: (id: string) => string;
}

export interface OutputGuardPorts {
  /** Shortens an output; null if that saves too little. */
  readonly compress: (output: string, source: OutputSource, isSuccess: boolean) => Promise<Shortened | null>;
  readonly modeOf: (folder: string | null, session: string) => GuardMode;
  /** Whether the user turned a rule off for a command in a folder, or has an exception for it. */
  readonly isExcepted: (rule: string, line: string, folder: string | null) => boolean;
  /** Whether another hook may also replace outputs of this tool. One of the two would be lost. */
  readonly hasRival: (program: HookCaller, folder: string | null, tool: string) => boolean;
  readonly store: OutputStore;
  /** Whether a format is switched off for a command, as it does not save there. */
  readonly isResting: (rule: string, command: string) => boolean;
  /** Follows a shortened output. */
  readonly onMade: (event: EventNamed<"PostToolUse">, made: MadeSmaller) => void;
  readonly record: (entries: readonly GuardHitEntry[]) => void;
  readonly onProblem: (message: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds, never set back. */
  readonly elapsed: () => number;
}

/** Minimum length of an output that is shortened. Characters. */
const minOutput = 2048;
/** Maximum length of a command's name. Characters. */
const maxCommandLength = 100;
/** Minimum share of bytes saved. */
const minSaving = 0.1;
/** Time limit of the answer, and the longer one for a busy machine or while code is loaded. Milliseconds. */
const [limit, patience] = [250, 1500];

/** Stands for an id in a text that is only measured. */
const anyId = "2aaaaa";

interface Chance {
  readonly event: EventNamed<"PostToolUse">;
  readonly program: HookCaller;
  readonly source: OutputSource;
  readonly output: ReplaceableOutput;
}

/**
 * Shortens outputs of commands and of tools that search, list, fetch or ask servers, before they stay in the context. The
 * original is stored first and named in the text. If that fails or takes too long, the output stays unchanged, as does an
 * output that a script reads. In observe mode, records the possible savings in the background.
 */
export function outputGuardHandler(ports: OutputGuardPorts): HookHandler<"PostToolUse"> {
  const inBackground = (work: Promise<unknown>) => {
    work.catch((error: unknown) => ports.onProblem(`An output could not be made smaller: ${String(error)}`));
  };

  const answer = (
    event: EventNamed<"PostToolUse">,
    { program, signal }: Pick<HookContext, "program" | "signal"> = defaultHookContext,
  ): Promise<HookAnswer | null> | null => {
    const folder = event.cwd ?? null;
    const mode = ports.modeOf(folder, event.session_id);
    const source = mode === "off" ? null : outputSource(event);
    if (source === null) return null;
    if (isNestedCall(event)) return null;
    const replaceable = source.kind === "command" ? replaceableOutput : replaceableToolOutput;
    const output = replaceable(event, program);
    if (output === null || output.text.length < minOutput || output.text.length > output.longest) return null;
    const chance = { event, program, source, output };
    if (mode === "on" && mayReplace("output", event, program)) return replace(chance, signal);
    inBackground(observe(chance));
    return null;
  };

  const observe = async (chance: Chance) => {
    const { output } = chance;
    const shortened = await shorten(chance);
    if (shortened === null) return;
    const text = withNotice(shortened, output.text, anyId);
    if (isWorth(text, output)) note(chance, shortened, text);
  };

  const replace = async (chance: Chance, signal: AbortSignal): Promise<HookAnswer | null> => {
    const { event, program, output, source } = chance;
    const start = ports.elapsed();
    const shortened = await shorten(chance);
    if (shortened === null) return null;
    const expected = withNotice(shortened, output.text, anyId);
    if (!isWorth(expected, output)) return null;
    const isLeftAlone =
      ports.hasRival(program, event.cwd ?? null, event.tool_name ?? "") ||
      ports.isResting(ruleOf(shortened), shortened.command);
    if (isLeftAlone) {
      note(chance, shortened, expected);
      return null;
    }
    const at = ports.now();
    const hit = hitOf(chance, { shortened, text: expected, done: "replaced", at }).id;
    const id = await ports.store.keep(output.text, {
      compressor: shortened.compressor,
      hit,
      session: event.session_id,
      program,
      line: source.line,
    });
    if (id === null) return null;
    if (signal.aborted || ports.elapsed() - start > patience) {
      inBackground(ports.store.forget(id));
      note(chance, shortened, expected);
      return null;
    }
    const text = withNotice(shortened, output.text, id);
    ports.record([hitOf(chance, { shortened, text, done: "replaced", at })]);
    ports.onMade(event, { hit, text: output.text, isSuccess: output.isSuccess });
    return { output: output.withText(text), rule: ruleOf(shortened) };
  };

  const shorten = async ({ event, output, source }: Chance): Promise<Shortened | null> => {
    const shortened = await ports.compress(output.text, source, output.isSuccess);
    const isWanted =
      shortened !== null && !ports.isExcepted(ruleOf(shortened), source.line, event.cwd ?? null);
    return isWanted ? shortened : null;
  };

  const withNotice = ({ text }: Shortened, original: string, id: string): string => {
    const leftOutBytes = Buffer.byteLength(original) - Buffer.byteLength(text);
    const facts = { place: ports.store.place(id), leftOutBytes, lines: linesOf(original).length };
    return `${text}${text.endsWith("\n") ? "" : "\n"}${storedNotice(facts)}`;
  };

  const note = (chance: Chance, shortened: Shortened, text: string) =>
    ports.record([hitOf(chance, { shortened, text, done: "observed", at: ports.now() })]);

  return { name: "outputs", events: ["PostToolUse"], budget: limit, patience, answer };
}

interface Made {
  readonly shortened: Shortened;
  readonly text: string;
  readonly done: "observed" | "replaced";
  readonly at: number;
}

function hitOf(
  { event, program, source, output }: Chance,
  { shortened, text, done, at }: Made,
): GuardHitEntry {
  const savedBytes = Buffer.byteLength(output.text) - Buffer.byteLength(text);
  const own = { rule: ruleOf(shortened), family: "output", action: "advise", done, savedBytes } as const;
  return {
    ...hitEntry(event, { ...own, excerpt: source.line, program, at }),
    command: shortened.command.slice(0, maxCommandLength),
  };
}

function ruleOf({ compressor }: Shortened): string {
  return `smaller-output-${compressor}`;
}

/** Whether a smaller text with its notice saves enough, and the agent does not cut it. */
function isWorth(text: string, output: ReplaceableOutput): boolean {
  const before = Buffer.byteLength(output.text);
  return text.length <= output.longest && Buffer.byteLength(text) <= before * (1 - minSaving);
}

/** Facts in the notice below a shortened output. */
interface NoticeFacts {
  /** The command that prints the original, or its file. */
  readonly place: string;
  readonly leftOutBytes: number;
  readonly lines: number;
}

/** The line below a shortened output. Its form is that of other notices, so that the text is not shortened again. */
function storedNotice({ place, leftOutBytes, lines }: NoticeFacts): string {
  const all = lines === 1 ? "The whole line" : `All ${wholeNumber(lines)} lines`;
  return `[… ${wholeNumber(Math.max(1, leftOutBytes))} bytes left out …] ${all}, kept for a week: ${place}`;
}

/** Returns the lines of a text. A final line break does not start another line. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
