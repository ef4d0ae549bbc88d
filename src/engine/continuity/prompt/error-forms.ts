import { cleanText } from "../../base/text/text.ts";

/** Colours of a terminal with an escape character that was lost, or is written out. */
const lostColours = /(?:\\(?:u001b|x1b|033|e))?\[\d{0,3}(?:;\d{1,3})*m/giu;
const quotes = /[`´"“”„‟«»‹›‘’‚‛「」『』＂＇]/gu;
/** A path in a folder, but no package such as `@scope/name`, and no address. */
const folders =
  /(?<![\w@:/\\.~-])(?:[a-z]:|~|\.{1,2})?(?:[\w.@+-]*[\\/])+(?=[\w@+-][\w.@+-]*(?:[\\/]|\.\w))/giu;
const ends = /[\s.,;:!?…。、！？)\]}>|]+$/u;

/** Prefixes of an error line, in the form of `plainForm`: times, places, programs and kinds. */
const leads: readonly RegExp[] = [
  /^(?:[>$#*|•✖×✗-]+\s+)+/u,
  /^\[?0(?:[-:./t, ]{1,2}0)*z?\]?\s+(?:[-|:]\s*)?/u,
  /^[^\s:()]+(?:\(0,0\)|:0(?::0)?)\s*(?:[:-]\s*)?/u,
  /^(?:uncaught|unhandled|fatal|panic|npm (?:err!|error)|caused by|stderr|e)\s*[:|]?\s+/u,
  /^(?:[\w$]+\.)*[\w$-]*(?:error|exception|warning|fehler|erreur|errore|エラー|错误|ошибка)(?:\s*\[[^\]]{1,60}\]|\s+[a-z]{1,4}\d{1,6})?\s*[:：]\s*/u,
];

/** Returns a text in which errors are equal that differ in their places, numbers, colours, quotes and last punctuation. */
export function plainForm(text: string): string {
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

/** Returns the plain forms of an error's line: the whole, and what is left without what stands before the error. */
export function errorForms(line: string): string[] {
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
const [shortestWhole, shortestPart, fewestWords, fewestSigns] = [10, 16, 3, 8];

/** An error that begins with its kind, such as `keyerror: 'total'`. `error:` alone is none. */
const kinded = /^[\w$.]*[\w$](?:error|exception)\s*:\s*\S/u;

/** Whether a line of a prompt tells an error, whatever is said around it. @param line in its plain form */
export function tells(line: string, error: readonly string[]): boolean {
  const [whole = ""] = error;
  if (whole.length > 3 && line === whole) return true;
  // A named kind of error with its subject is in no line by chance, however short both are.
  if (whole.length >= shortestWhole && kinded.test(whole) && contains(line, whole)) return true;
  const own = errorForms(line);
  return error.some(
    (form) =>
      (form.length >= shortestWhole && own.includes(form)) || (isTelling(form) && contains(line, form)),
  );
}

function isTelling(form: string): boolean {
  const words = form.match(/[\p{L}]{2,}/gu) ?? [];
  const signs = form.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu) ?? [];
  return (form.length >= shortestPart && words.length >= fewestWords) || signs.length >= fewestSigns;
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
