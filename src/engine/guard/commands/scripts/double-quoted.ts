/** Languages whose texts in double quotes run the commands in `$(…)`. */
type QuotingLanguage = "shell" | "powershell";

/** A text in double quotes. */
export interface DoubleQuoted {
  /** The text without its quotes; a mark stands for each substitution. */
  readonly text: string;
  /** Place of the closing quote. */
  readonly end: number;
  /** The commands of its substitutions. */
  readonly scripts: readonly string[];
}

const escapes: Readonly<Record<QuotingLanguage, string>> = { shell: "\\", powershell: "`" };
/** Quotes within substitutions beyond this number are not followed. */
const deepest = 30;
const special = /["$\\`]/gu;
const specialInside = /["'()\\`]/gu;

interface Quoting {
  readonly language: QuotingLanguage;
  /** Stands for what a substitution prints. */
  readonly mark: string;
  /** The text of a here-string, in which quotes are plain, and which ends with the text. */
  readonly isHereString?: boolean;
  readonly depth?: number;
}

/**
 * Reads a text in double quotes; null where it does not end.
 * @param at the place of its opening quote
 */
export function doubleQuoted(
  text: string,
  at: number,
  { language, mark, isHereString = false, depth = 0 }: Quoting,
): DoubleQuoted | null {
  if (depth > deepest) return null;
  const scripts: string[] = [];
  let plain = "";
  for (let place = at + 1; place < text.length; place += 1) {
    special.lastIndex = place;
    const next = special.test(text) ? special.lastIndex - 1 : text.length;
    plain += text.slice(place, next);
    place = next;
    const char = text[place];
    if (char === undefined) break;
    if (char === escapes[language]) {
      place += 1;
      plain += text[place] ?? "";
    } else if (char === '"' && !isHereString) {
      if (language !== "powershell" || text[place + 1] !== '"') return { text: plain, end: place, scripts };
      place += 1;
      plain += '"';
    } else if (char === "$" && text[place + 1] === "(") {
      const end = closingBracket(text, place + 1, language, depth + 1);
      if (end === null) return null;
      scripts.push(text.slice(place + 2, end));
      plain += mark;
      place = end;
    } else plain += char;
  }
  return isHereString ? { text: plain, end: text.length, scripts } : null;
}

/** Returns the place of the bracket that closes the one at a place; null where none does. */
function closingBracket(text: string, at: number, language: QuotingLanguage, depth: number): number | null {
  let open = 0;
  for (let place = at; place < text.length; place += 1) {
    specialInside.lastIndex = place;
    if (!specialInside.test(text)) return null;
    place = specialInside.lastIndex - 1;
    const char = text[place];
    if (char === escapes[language]) place += 1;
    else if (char === '"') {
      const inner = doubleQuoted(text, place, { language, mark: "", depth });
      if (inner === null) return null;
      place = inner.end;
    } else if (char === "'") {
      const end = text.indexOf("'", place + 1);
      if (end === -1) return null;
      place = end;
    } else if (char === "(") open += 1;
    else if (char === ")") {
      open -= 1;
      if (open === 0) return place;
    }
  }
  return null;
}
