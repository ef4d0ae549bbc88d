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
import type { ShortenedKind } from "./back-off.ts";
import { type Shortened, mayNameKept } from "./compress-command.ts";
import { outputSource, type OutputSource } from "./tool-answers.ts";
import { wholeNumber } from "../../base/format.ts";

/** Facts that are kept with an original. */
export interface AboutKept extends ShortenedKind {
  readonly session: string;
  readonly program: string;
  /** The whole command line, or the call of another tool in one line. */
  readonly line: string;
}

/** The originals of outputs that were made smaller. */
interface KeptOutputs {
  /** Returns the id under which a text is kept; null where it cannot be. */
  readonly keep: (text: string, about: AboutKept) => Promise<string | null>;
  readonly forget: (id: string) => Promise<void>;
  /** Tells how an agent gets at one: a command, or a file. */
  readonly place: (id: string) => string;
}

export interface OutputGuardPorts {
  /** Makes an output smaller; null where too little is to be gained. */
  readonly compress: (output: string, source: OutputSource, isSuccess: boolean) => Promise<Shortened | null>;
  /** The ids of the kept outputs that a command prints. */
  readonly keptOutputsIn: (command: string) => Promise<readonly string[]>;
  readonly modeOf: (folder: string | null) => GuardMode;
  /** Whether the user wants nothing of a rule on a command in a folder: it is off, or one of the user's exceptions holds. */
  readonly isExcepted: (rule: string, line: string, folder: string | null) => boolean;
  /** Whether another hook may replace outputs of a tool of this agent in a folder, and so undo, or be undone. */
  readonly hasRival: (program: HookCaller, folder: string | null, tool: string) => boolean;
  readonly kept: KeptOutputs;
  /** Learns of which commands the originals are asked for. */
  readonly uses: {
    readonly isOff: (kind: ShortenedKind) => boolean;
    readonly made: (kind: ShortenedKind, id: string) => void;
    readonly asked: (id: string) => void;
  };
  readonly record: (entries: readonly GuardHitEntry[]) => void;
  readonly onProblem: (message: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds, never set back. */
  readonly elapsed: () => number;
}

/** A shorter output is never made smaller. Characters. */
const leastOutput = 2048;
/** A smaller share saved is not worth a change. */
const leastSaving = 0.1;
/** Time limit for its answer, and the longer one for a busy machine or code that is still being loaded. Milliseconds. */
const [limit, patience] = [250, 1500];
/** An answer that takes longer is not given, since the agent may have gone on without it. Milliseconds. */
const lateAfter = patience;

/** Stands for an id in a text that is only measured. */
const anyId = "2aaaaa";

/** An output that could be made smaller. */
interface Chance {
  readonly event: EventNamed<"PostToolUse">;
  readonly program: HookCaller;
  readonly source: OutputSource;
  readonly output: ReplaceableOutput;
}

/**
 * Makes outputs of commands and of tools that search, list, fetch or ask servers smaller before they stay in the context. The original is kept first, and named in the text; where it cannot
 * be, or where that takes too long, the output stays as it is. Where its family only observes, records what would have been saved, for
 * which no hook waits. An output that a script reads stays as it is.
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
    const mode = ports.modeOf(folder);
    const source = mode === "off" ? null : outputSource(event);
    if (source === null) return null;
    if (source.kind === "command" && mayNameKept(source.line)) inBackground(noteAsked(source.line));
    if (isNestedCall(event)) return null;
    const replaceable = source.kind === "command" ? replaceableOutput : replaceableToolOutput;
    const output = replaceable(event, program);
    if (output === null || output.text.length < leastOutput || output.text.length > output.longest)
      return null;
    const chance = { event, program, source, output };
    if (mode === "on" && mayReplace("output", event, program)) return replace(chance, signal);
    inBackground(observe(chance));
    return null;
  };

  const noteAsked = async (line: string) => {
    for (const id of await ports.keptOutputsIn(line)) ports.uses.asked(id);
  };

  const observe = async (chance: Chance) => {
    const { output } = chance;
    const shortened = await shorten(chance);
    if (shortened === null) return;
    const text = withNotice(shortened, output.text, anyId);
    if (isWorth(text, output)) note(chance, shortened, text, "observed");
  };

  const replace = async (chance: Chance, signal: AbortSignal): Promise<HookAnswer | null> => {
    const { event, program, output, source } = chance;
    const begun = ports.elapsed();
    const shortened = await shorten(chance);
    if (shortened === null) return null;
    const { compressor, command } = shortened;
    const kind = { compressor, command };
    const expected = withNotice(shortened, output.text, anyId);
    if (!isWorth(expected, output)) return null;
    if (ports.hasRival(program, event.cwd ?? null, event.tool_name ?? "") || ports.uses.isOff(kind)) {
      note(chance, shortened, expected, "observed");
      return null;
    }
    const id = await ports.kept.keep(output.text, {
      ...kind,
      session: event.session_id,
      program,
      line: source.line,
    });
    if (id === null) return null;
    if (signal.aborted || ports.elapsed() - begun > lateAfter) {
      inBackground(ports.kept.forget(id));
      note(chance, shortened, expected, "observed");
      return null;
    }
    const text = withNotice(shortened, output.text, id);
    ports.uses.made(kind, id);
    note(chance, shortened, text, "replaced");
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
    const facts = { place: ports.kept.place(id), leftOutBytes, lines: linesOf(original).length };
    return `${text}${text.endsWith("\n") ? "" : "\n"}${keptNotice(facts)}`;
  };

  const note = (
    { event, program, source, output }: Chance,
    shortened: Shortened,
    text: string,
    done: "observed" | "replaced",
  ) =>
    ports.record([
      hitEntry(event, {
        rule: ruleOf(shortened),
        family: "output",
        action: "advise",
        done,
        excerpt: source.line,
        program,
        at: ports.now(),
        savedBytes: Buffer.byteLength(output.text) - Buffer.byteLength(text),
      }),
    ]);

  return { name: "outputs", events: ["PostToolUse"], budget: limit, patience, answer };
}

function ruleOf({ compressor }: Shortened): string {
  return `smaller-output-${compressor}`;
}

/** Whether a smaller text with its notice is worth the change, and one that the agent takes whole. */
function isWorth(text: string, output: ReplaceableOutput): boolean {
  const before = Buffer.byteLength(output.text);
  return text.length <= output.longest && Buffer.byteLength(text) <= before * (1 - leastSaving);
}

/** Facts in the line below a smaller output. */
interface KeptFacts {
  /** The command that prints the original, or its file. */
  readonly place: string;
  readonly leftOutBytes: number;
  readonly lines: number;
}

/**
 * The line below an output that was made smaller: where the original is. Has the form of the other notices, so that a text with it is
 * not made smaller again.
 */
function keptNotice({ place, leftOutBytes, lines }: KeptFacts): string {
  const all = lines === 1 ? "The whole line" : `All ${wholeNumber(lines)} lines`;
  return `[… ${wholeNumber(Math.max(1, leftOutBytes))} bytes left out …] ${all}, kept for a week: ${place}`;
}

/** The lines of a text; the end of the last one begins no other. */
export function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.length > 1 && lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
