/** A command line of more characters is read by its words: parsing it could take longer than an agent should wait. */
const longestParsed = 8000;
/** Likewise with more characters in here-documents. */
const longestWhole = 100_000;
/** Likewise with more brackets, braces and backticks, whose nesting makes parsing slow. */
const mostOpened = 200;
/** Characters of a here-document that are read where the whole is too long. */
const longestBody = 1000;

/**
 * Returns the command line that is parsed in place of a long one, with the bodies of its here-documents shortened; null where it is
 * still too long, or nested too deep, to be parsed in time.
 */
export function parseableText(text: string): string | null {
  if (text.length > longestWhole) return null;
  const short = text.length > longestParsed ? withShortBodies(text) : text;
  if (short.length > longestParsed) return null;
  return openedIn(short) > mostOpened ? null : short;
}

/** Steps for parsing something that opens, which the parser reads again within what is around it. */
const openedSteps = 40;

/** Returns the steps that parsing a text takes. */
export function parsingSteps(text: string): number {
  return text.length + openedIn(text) * openedSteps;
}

/** Returns the steps for a command besides its words. */
export function commandSteps(length: number): number {
  return 30 + Math.ceil(length / 4);
}

function openedIn(text: string): number {
  let opened = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at);
    // ( ` { <
    if (char === 40 || char === 96 || char === 123 || char === 60) opened += 1;
  }
  return opened;
}

const beginning = /<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\?([\w.-]+))/gu;

function withShortBodies(text: string): string {
  const kept: string[] = [];
  const waiting: string[] = [];
  let length = 0;
  for (const line of text.split("\n")) {
    const [delimiter] = waiting;
    if (delimiter === undefined) {
      kept.push(line);
      for (const [, single, double, bare] of line.matchAll(beginning))
        waiting.push(single ?? double ?? bare ?? "");
      length = 0;
    } else if (line.replace(/^\t+/u, "") === delimiter) {
      waiting.shift();
      kept.push(line);
      length = 0;
    } else {
      length += line.length + 1;
      if (length <= longestBody) kept.push(line);
    }
  }
  return kept.join("\n");
}
