import { type DiffItem, diffItems, type LedgerEntry } from "../../ledger/entries.ts";
import { sha256Hex } from "../../base/hash.ts";
import type { LostItem } from "../../ledger/ledger-answers.ts";
import type { OpenWork, ResumePacket } from "../packet/packet.ts";

/** One item known before a compaction. Its text comes from the session: data, without secrets. */
export type WorkItem = Readonly<LostItem>;
type ItemKind = WorkItem["kind"];

/** Files beyond these are seldom needed again. */
const maxFiles = 15;

const openWords: Readonly<Record<OpenWork["kind"], string>> = {
  todo: "",
  unverified: "",
  failing: "fails: ",
};

export function itemsOf(packet: ResumePacket): WorkItem[] {
  const { decisions, open, files, deadEnds, errors, conventions } = packet;
  const all = [
    ...decisions.map(({ text, turn }) => itemFrom("decision", text, turn)),
    ...open.map(({ kind, text, turn }) => itemFrom("open", `${openWords[kind]}${text}`, turn)),
    ...files.slice(0, maxFiles).map(({ path, turn }) => itemFrom("file", path, turn)),
    ...deadEnds.map(({ text, turn }) => itemFrom("dead_end", text, turn)),
    ...errors.map(({ text, turn, fix }) =>
      itemFrom("error", fix === null ? text : `${text} (mended by: ${fix.text})`, turn),
    ),
    ...conventions.map(({ text, turn }) => itemFrom("convention", text, turn)),
  ];
  return [...new Map(all.toReversed().map((item) => [item.id, item])).values()].toReversed();
}

function itemFrom(kind: ItemKind, text: string, turn: number): WorkItem {
  const id = sha256Hex(JSON.stringify([kind, text]), 12);
  return { id, kind, text, turn };
}

/**
 * Whether a text names a file, by its path or by the shortest path suffix unique among the files. Accepts
 * either kind of slash and ignores case. `index.ts` does not name `my-index.ts` or `index.tsx`.
 */
function mentionsFile(text: string, file: string, files: readonly string[]): boolean {
  const path = plain(file);
  const others = files.map(plain).filter((other) => other !== path);
  const within = plain(text);
  return endsOf(path).some(
    (end) =>
      (end === path || !others.some((other) => other === end || other.endsWith(`/${end}`))) &&
      isNamed(within, end, path),
  );
}

/** Path suffixes by segments, the shortest first, up to the path itself. */
function endsOf(path: string): string[] {
  const segments = path.split("/");
  return segments.map((_, at) => segments.slice(segments.length - 1 - at).join("/"));
}

function plain(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\\/]+/gu, "/");
}

/** Characters. */
const maxFoldersLength = 400;
const isOfName = /[\p{L}\p{M}\p{N}_-]/u;

function isNamed(text: string, end: string, path: string): boolean {
  if (end === "") return true;
  for (let at = text.indexOf(end); at >= 0; at = text.indexOf(end, at + 1)) {
    if (!nameStartsAt(text, at, path.slice(0, path.length - end.length))) continue;
    const after = text.slice(at + end.length, at + end.length + 2);
    const [next = "", second = ""] = after;
    const goesOn = isOfName.test(next) || next === "/" || (next === "." && isOfName.test(second));
    if (!goesOn) return true;
  }
  return false;
}

/**
 * Whether a name starts at a position in a text. Folders written before it must match the file's.
 * @param above the file's folders
 */
function nameStartsAt(text: string, at: number, above: string): boolean {
  const before = text.slice(Math.max(0, at - maxFoldersLength), at);
  const last = before.slice(-1);
  if (last !== "/") return !isOfName.test(last) && last !== ".";
  const folders = /(?<![^\s"'`()[\]{}<>,;:|*])[^\s"'`()[\]{}<>,;:|*]*$/u.exec(before)?.[0] ?? "";
  // `./name` and `/home/me/project/name` are the file, `other/name` is another.
  const named = folders.replace(/^(?:\.{1,2}\/)+/u, "");
  if (above === "") return named === "" || /^[/~]/u.test(named);
  return named === "" || named === above || named.endsWith(`/${above}`) || above.endsWith(`/${named}`);
}

/** A letter of a script that does not put spaces between words counts as a word. */
const word =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{M}\p{N}])+/gu;

/**
 * Words that can be missing without changing the meaning. Excludes negations, and words that forbid or limit.
 */
const empty = new Set(
  "a an the and or of to in on at by for with from as is are was were be been being it its this that these those we i you he she they them our your my us do does did done has have had will would can could may might shall so then than there here also just please let lets be into onto over via per about after before while when".split(
    " ",
  ),
);

const negations = /^(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|should|would|must|need)nt$/u;

/** Reads the words of a text in order, in a form in which the same word in another spelling or ending is the same. */
function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/(?<=\p{L})['’](?=\p{L})/gu, "");
  return Array.from(plain.matchAll(word), ([each]) => stemOf(each));
}

/** Returns the words that carry a text's meaning, without repeats. If there are none, returns all words. */
function tellingWords(text: string): string[] {
  const all = wordsOf(text);
  const telling = all.filter((each) => !empty.has(each));
  return [...new Set(telling.length === 0 ? all : telling)];
}

/** Cuts an ending of English words, so that `tested` and `tests` are one. Shorter words stay as they are. */
function stemOf(each: string): string {
  if (negations.test(each) || each === "cannot" || each === "cant") return "not";
  if (each.length <= 4 || !/^[a-z]+$/u.test(each)) return each;
  return each.replace(/(?:ings?|edly|ed|es|s|e)$/u, "");
}

interface Comparison {
  readonly kept: readonly WorkItem[];
  readonly lost: readonly WorkItem[];
}

/** Minimum share of a text's meaningful words that one passage of the summary must contain. */
const enough = 0.7;
/** A text with fewer meaningful words must be there with all of them. */
const few = 3;
/** A passage is this many times as long as the text, and longer by some words. */
const [longerTimes, longerBy] = [3, 12];
/** More of a summary is not compared. Characters. */
const maxLength = 400_000;

/**
 * Compares the known items with the summary that replaces them. A file is kept if the summary names its path,
 * or a suffix unique among the files. Any other item is kept if one passage has nearly all of its words. An
 * item that is there literally counts as kept. Deterministic; time grows with the length of both.
 */
export function compareWithSummary(items: readonly WorkItem[], summary: string): Comparison {
  const text = summary.slice(0, maxLength);
  const words = wordsOf(text);
  const present = new Set(words);
  const files = items.filter(({ kind }) => kind === "file").map((item) => item.text);
  const isKept = (item: WorkItem) =>
    item.kind === "file" ? mentionsFile(text, item.text, files) : isInSummary(item.text, words, present);
  const [kept, lost]: [WorkItem[], WorkItem[]] = [[], []];
  for (const item of items) (isKept(item) ? kept : lost).push(item);
  return { kept, lost };
}

function isInSummary(text: string, words: readonly string[], present: ReadonlySet<string>): boolean {
  const wanted = new Set(tellingWords(text));
  const minimum = wanted.size <= few ? wanted.size : Math.ceil(wanted.size * enough);
  let known = 0;
  for (const each of wanted) if (present.has(each)) known += 1;
  if (known < minimum) return false;
  const width = wordsOf(text).length * longerTimes + longerBy;
  return hasPassage(words, { wanted, minimum, width });
}

interface Passage {
  readonly wanted: ReadonlySet<string>;
  readonly minimum: number;
  /** Words. */
  readonly width: number;
}

/** Whether any run of words contains enough of the wanted words. */
function hasPassage(words: readonly string[], { wanted, minimum, width }: Passage): boolean {
  if (minimum === 0) return true;
  const counts = new Map<string, number>();
  for (const [at, each] of words.entries()) {
    if (wanted.has(each)) {
      counts.set(each, (counts.get(each) ?? 0) + 1);
      if (counts.size >= minimum) return true;
    }
    const left = words[at - width + 1];
    if (left === undefined || !wanted.has(left)) continue;
    const rest = (counts.get(left) ?? 0) - 1;
    if (rest <= 0) counts.delete(left);
    else counts.set(left, rest);
  }
  return false;
}

/** Items that one compaction kept and lost, and those sent to the agent again. */
export interface ComparedCompaction extends Comparison {
  readonly sessionId: string;
  readonly program: string;
  /** The agent's own word for the trigger. Null if it gives none. */
  readonly trigger: string | null;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly told: readonly WorkItem[];
}

export function diffEntry(compared: ComparedCompaction): LedgerEntry {
  const { sessionId, program, trigger, at } = compared;
  const items = JSON.stringify(diffItems.parse(diffItemsOf(compared)));
  return { kind: "compaction-diff", id: diffId(sessionId, at), sessionId, program, trigger, at, items };
}

function diffId(sessionId: string, at: number): string {
  return `${sessionId}:${at}`;
}

function diffItemsOf({ kept, lost, told }: ComparedCompaction): DiffItem[] {
  const ids = new Set(told.map(({ id }) => id));
  return [
    ...kept.map((item) => ({ ...item, fate: "kept" as const })),
    ...lost.map((item) => ({ ...item, fate: ids.has(item.id) ? ("told" as const) : ("lost" as const) })),
  ];
}

/** Ledger entries for items that a person puts back: when they are chosen, or when they are sent. */
export function putBackEntries(
  put: {
    readonly session: string;
    readonly diff: string;
    readonly items: readonly string[];
  },
  when: { readonly chosenAt: number } | { readonly givenAt: number },
): LedgerEntry[] {
  return put.items.map((itemId) => ({
    kind: "put-back",
    id: `${put.diff}:${itemId}`,
    sessionId: put.session,
    diffId: put.diff,
    itemId,
    ...when,
  }));
}
