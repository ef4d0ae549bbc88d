import { scrub } from "../../base/scrub.ts";
import { cleanText } from "../../base/text.ts";
import { learnedRules } from "../../guard/guard-rules.ts";
import type { Finding } from "../../guard/delivery.ts";
import { signatureOf } from "../story/failure.ts";
import { askedText } from "../story/prompt-text.ts";
import type { LearnedBook } from "../../ledger/learned.ts";

/** Colours of a terminal with an escape character that was lost, or is written out. */
const lostColours = /(?:\\(?:u001b|x1b|033|e))?\[\d{0,3}(?:;\d{1,3})*m/giu;
const quotes = /[`´"“”„‟«»‹›‘’‚‛「」『』＂＇]/gu;
/** A path in a folder, but no package such as `@scope/name`, and no address. */
const folders =
  /(?<![\w@:/\\.~+-])(?:[a-z]:|~|\.{1,2})?(?:[\w.@+-]*[\\/])+(?=[\w@+-][\w.@+-]*(?:[\\/]|\.\w))/giu;
const ends = /(?<![\s.,;:!?…。、！？)\]}>|])[\s.,;:!?…。、！？)\]}>|]+$/u;

/** Prefixes of an error line, in the form of `plainForm`: times, places, programs and kinds. */
const leads: readonly RegExp[] = [
  /^(?:[>$#*|•✖×✗-]+\s+)+/u,
  /^\[?0(?:[-:./t, ]{1,2}0)*z?\]?\s+(?:[-|:]\s*)?/u,
  /^[^\s:()]+(?:\(0,0\)|:0(?::0)?)\s*(?:[:-]\s*)?/u,
  /^(?:uncaught|unhandled|fatal|panic|npm (?:err!|error)|caused by|stderr|e)\s*[:|]?\s+/u,
  /^(?:[\w$]+\.)*[\w$-]*(?:error|exception|warning|fehler|erreur|errore|エラー|错误|ошибка)(?:\s*\[[^\]]{1,60}\]|\s+[a-z]{1,4}\d{1,6})?\s*[:：]\s*/u,
];

/** Returns a text in which errors are equal that differ in their places, numbers, colours, quotes and last punctuation. */
function plainForm(text: string): string {
  return cleanText(text)
    .replaceAll(lostColours, "")
    .replaceAll(/file:\/\//giu, "")
    .replaceAll(quotes, "'")
    .replaceAll(folders, "")
    .replaceAll(/0x[\da-f]+|\b[\da-f]{7,64}\b/giu, "#")
    .replaceAll(/(?<![\p{L}_\d])\d+(?:\.\d+)*(?![\p{L}_\d])/gu, "0")
    .replaceAll(/\s+/gu, " ")
    .replace(ends, "")
    .trim()
    .toLowerCase();
}

/** Returns the plain forms of an error's line: the whole, and the part from the error on. */
function errorForms(line: string): string[] {
  const forms = [plainForm(line)];
  for (let at = 0; at < 6; at += 1) {
    const form = forms.at(-1) ?? "";
    const lead = leads.find((each) => each.test(form));
    const rest = lead === undefined ? form : form.replace(lead, "").trim();
    if (rest === form || rest === "") break;
    forms.push(rest);
  }
  return forms;
}

/** A shorter form is in many lines by chance. Characters and words. */
const [minWholeLength, minPartLength, minWords, minSigns] = [10, 16, 3, 8];

/** An error that starts with its kind, such as `keyerror: 'total'`. `error:` alone does not count. */
const kinded = /^[\w$.]*[\w$](?:error|exception)\s*:\s*\S/u;

/**
 * Whether a line of a prompt contains an error, whatever surrounds it.
 * @param line in its plain form
 */
function tells(line: string, error: readonly string[]): boolean {
  const [whole = ""] = error;
  if (whole.length > 3 && line === whole) return true;
  // A named kind of error with its subject is in no line by chance, however short both are.
  if (whole.length >= minWholeLength && kinded.test(whole) && contains(line, whole)) return true;
  const own = errorForms(line);
  return error.some(
    (form) =>
      (form.length >= minWholeLength && own.includes(form)) || (isTelling(form) && contains(line, form)),
  );
}

function isTelling(form: string): boolean {
  const words = form.match(/[\p{L}]{2,}/gu) ?? [];
  const signs = form.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu) ?? [];
  return (form.length >= minPartLength && words.length >= minWords) || signs.length >= minSigns;
}

function contains(line: string, form: string): boolean {
  for (let at = line.indexOf(form); at >= 0; at = line.indexOf(form, at + 1)) {
    const [before, after] = [line.slice(0, at), line.slice(at + form.length)];
    const begins = !/^[\w]/u.test(form) || !/[\w./-]$/u.test(before);
    const isEnd = !/[\w]$/u.test(form) || !/^(?:[\w/-]|\.\w)/u.test(after);
    if (begins && isEnd) return true;
  }
  return false;
}

export interface KnownHere {
  readonly fixes: readonly KnownFix[];
  readonly deadEnds: readonly KnownDeadEnd[];
}

interface KnownFix {
  readonly id: string;
  /** Signature of the error, and the program or tool it was made with. */
  readonly signature: string;
  readonly subject: string;
  /** The error's line, as far as it is stored. Null if unknown. */
  readonly error: string | null;
  readonly remedy: string;
  readonly sessions: number;
}

interface KnownDeadEnd {
  readonly id: string;
  /** What was tried: a command, or a file with an edit that was undone. */
  readonly tried: string;
  /** The result. */
  readonly text: string;
  readonly times: number;
}

export interface PromptMatch {
  readonly id: string;
  readonly finding: Finding;
}

/** Lines of a prompt that may hold an error; longer ones are code or data. */
const [maxLines, maxLineLength] = [80, 1000];
/** A shorter command, or one word, is in many prompts by chance. Characters. */
const minTriedLength = 8;

/**
 * Finds at most one text to send at a prompt: the repair of an error that it quotes, or the dead end that it
 * is about to repeat. An error is recognized by its signature, a dead end by its whole name.
 */
export function matchPrompt(prompt: string, known: KnownHere): PromptMatch | null {
  const asked = askedText(prompt);
  if (asked === null) return null;
  return fixFor(asked, known.fixes) ?? deadEndIn(asked, known.deadEnds);
}

function fixFor(asked: string, fixes: readonly KnownFix[]): PromptMatch | null {
  if (fixes.length === 0) return null;
  // Errors are stored without secrets.
  const lines = scrub(asked)
    .split(/\r\n?|\n|\u2028|\u2029/u)
    .map((line) => cleanText(line))
    .filter((line) => line.length > 3 && line.length <= maxLineLength)
    .slice(0, maxLines);
  const found = bySignature(lines, fixes) ?? byText(lines, fixes);
  if (found === null) return null;
  const { id, remedy, sessions } = found.fix;
  const { knownFix } = learnedRules;
  return {
    id,
    finding: {
      rule: knownFix.id,
      family: knownFix.family,
      text:
        `an error like this one was gone in ${counted(sessions, "earlier session")} of this project after: ` +
        `${remedy} (from its record: check that it fits)`,
      excerpt: found.line,
      about: id,
    },
  };
}

interface FoundFix {
  readonly fix: KnownFix;
  readonly line: string;
}

function bySignature(lines: readonly string[], fixes: readonly KnownFix[]): FoundFix | null {
  const subjects = [...new Set(fixes.map(({ subject }) => subject))];
  for (const line of lines)
    for (const subject of subjects)
      for (const form of quotedForms(line)) {
        const signature = signatureOf(form, subject);
        const fix = fixes.find((each) => each.signature === signature && each.subject === subject);
        if (fix !== undefined) return { fix, line };
      }
  return null;
}

/** Returns a line unchanged, and without quotation marks. A quote at its end may belong to the error. */
function quotedForms(line: string): string[] {
  const bare = line.replace(/^(?:[>$#*-]\s+)+/u, "");
  return [...new Set([line, bare, bare.replace(/^[`"'“]+/u, "").replace(/(?<![`"'”])[`"'”]+$/u, "")])];
}

/** Finds an error by its words: people add to a quotation, and leave out its start. */
function byText(lines: readonly string[], fixes: readonly KnownFix[]): FoundFix | null {
  const known = fixes
    .flatMap((fix) => (fix.error === null ? [] : [{ fix, forms: errorForms(fix.error) }]))
    .toSorted((a, b) => (b.forms.at(-1)?.length ?? 0) - (a.forms.at(-1)?.length ?? 0));
  for (const line of lines) {
    const plain = plainForm(line);
    const found = known.find(({ forms }) => tells(plain, forms));
    if (found !== undefined) return { fix: found.fix, line };
  }
  return null;
}

function deadEndIn(asked: string, deadEnds: readonly KnownDeadEnd[]): PromptMatch | null {
  const text = ` ${cleanText(asked)} `;
  const found = deadEnds.find(({ tried }) => tried.length >= minTriedLength && names(text, tried));
  if (found === undefined) return null;
  const { id, tried, text: told, times } = found;
  const { deadEndAgain } = learnedRules;
  return {
    id,
    finding: {
      rule: deadEndAgain.id,
      family: deadEndAgain.family,
      text: `earlier sessions of this project tried this ${counted(times, "time")} and it led nowhere: ${told} (from their record: check whether it still holds)`,
      excerpt: tried,
      about: id,
    },
  };
}

/** Whether a text contains a name as a whole, not within longer words. */
function names(text: string, tried: string): boolean {
  for (let at = text.indexOf(tried); at >= 0; at = text.indexOf(tried, at + 1)) {
    const [before, after] = [text.charAt(at - 1), text.slice(at + tried.length)];
    // A full stop may end a sentence, and must not start an extension.
    if (!/[\w./-]/u.test(before) && !/^(?:[\w/-]|\.\w)/u.test(after)) return true;
  }
  return false;
}

function counted(count: number, what: string): string {
  return `${count} ${count === 1 ? what : `${what}s`}`;
}

/** Minimum number of times a lesson was seen before it is sent. */
const minTimes = 2;
const reverted = /^An edit of (?<file>.+) was taken back$/u;

/**
 * Selects the lessons for prompts. Excludes lessons that the user has forgotten, and lessons of other
 * projects unless the user allows them.
 */
export function knownHere({ learned, deadEnds }: LearnedBook): KnownHere {
  return {
    fixes: learned
      .filter(({ task, mark }) => task === "LearnRepairPatterns" && mark?.state !== "forgotten")
      .flatMap(({ id, subject, text, remedy, mark, sessions, good, times }) => {
        const [signature = "", of = ""] = (subject ?? "").split("|");
        const remedyText = mark?.state === "edited" ? mark.text : remedy;
        const isCertain = good === times || mark?.state === "kept" || mark?.state === "edited";
        return remedyText === null || !isCertain
          ? []
          : [{ id, signature, subject: of, error: errorIn(text), remedy: remedyText, sessions }];
      }),
    deadEnds: deadEnds
      .filter(({ mark, times }) => mark?.state !== "forgotten" && times >= minTimes)
      .map(({ id, text, how, times, mark }) => {
        const file = how === "reverted" ? reverted.exec(text)?.groups?.["file"] : undefined;
        const [tried = ""] = text.split(": ");
        return {
          id,
          tried: file ?? tried,
          text: mark?.state === "edited" ? (mark.text ?? text) : text,
          times,
        };
      }),
  };
}

function errorIn(text: string): string | null {
  return /^“(?<error>.+)” \([^()]{0,200}\) was gone after: /su.exec(text)?.groups?.["error"] ?? null;
}
