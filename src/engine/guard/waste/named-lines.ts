import { cleanText } from "../../base/text.ts";
import { type EventNamed, toolCallOf } from "../../hooks/event.ts";
import type { Invocation } from "../commands/invocation.ts";
import type { Finding } from "../delivery.ts";
import { namesLines, type DeliveredText } from "./delivered-text.ts";
import { absolutePath, fileCommand } from "./file-command.ts";
import { rulesOfWaste } from "./waste-rules.ts";
import type { NamedLines, WasteState } from "./waste-state.ts";

/** Minimum size of a file that should not be read whole. Bytes. */
export const minLargeFile = 50_000;
/** Maximum part of a prompt that is read. Characters. */
const maxPromptLength = 20_000;
const maxInPrompt = 10;

const fileWithLines =
  /(?<![\w@./\\-])(?<file>[\w@./\\-]{1,200}\.\w{1,10}):(?<first>\d{1,6})(?:-(?<last>\d{1,6}))?/gu;
const linesOfFile =
  /\blines? (?<first>\d{1,6})(?: ?(?:-|–|to) ?(?<last>\d{1,6}))? (?:of|in) `?(?<file>[\w@./\\-]{1,200}\.\w{1,10})/giu;

/** Returns the lines of files that a user's prompt names. */
export function linesInPrompt(prompt: string): NamedLines[] {
  const text = prompt.slice(0, maxPromptLength);
  const found = [...text.matchAll(fileWithLines), ...text.matchAll(linesOfFile)].slice(0, maxInPrompt);
  return found.map(({ groups = {} }) => {
    const { file = "", first = "", last = first } = groups;
    return { chain: null, file: file.replace(/^\.\//u, ""), first: Number(first), last: Number(last) };
  });
}

/** Returns the lines of a file that a call has read, as named lines. */
export function linesRead({ isPart, lines, file }: DeliveredText, chain: string): NamedLines[] {
  return isPart && lines !== null ? [{ chain, file, first: lines.first, last: lines.last }] : [];
}

/** Returns the file that a call reads whole; null for other calls. */
export function wholeFile(
  event: EventNamed<"PreToolUse">,
  invocations: readonly Invocation[],
): string | null {
  const call = toolCallOf(event);
  if (call.kind === "read" && call.file !== null)
    return namesLines(event.tool_input) ? null : absolutePath(call.file, event.cwd ?? null);
  if (call.kind !== "command") return null;
  const wanted = fileCommand(invocations);
  return wanted?.first === 1 && wanted.last === null ? wanted.file : null;
}

/** Returns the lines of a file that a context or the user named before. */
export function namedBefore({ named }: WasteState, chain: string, file: string): NamedLines | null {
  const slashed = file.replaceAll("\\", "/");
  const isNamed = (each: NamedLines) =>
    each.chain === null
      ? `/${slashed}`.endsWith(`/${each.file.replaceAll("\\", "/")}`)
      : each.chain === chain && each.file === file;
  return named.findLast(isNamed) ?? null;
}

export function wholeAfterLines(file: string, { first, last, chain }: NamedLines, bytes: number): Finding {
  const { id, family } = rulesOfWaste.wholeAfterLines;
  const lines = first === last ? `line ${first}` : `lines ${first}-${last}`;
  const who = chain === null ? `${lines} of it were named` : `you read ${lines} of it before`;
  return {
    rule: id,
    family,
    about: file,
    excerpt: file,
    text:
      `${cleanText(file)} has ${Math.round(bytes / 1000)} kB, and all of it stays in the context; ${who}. ` +
      "Next time read the lines around those, with the first line and a number of lines.",
  };
}
