import { parseJson } from "../../base/parse.ts";

/** Parses the complete leading members of a truncated object. Returns undefined for a text that does not start as an object. */
export function firstMembers(text: string): unknown {
  const end = lastComma(text);
  return end === null ? undefined : parseJson(`${text.slice(0, end)}}`);
}

/** Offset of the end of the last complete member; null when there is none. */
function lastComma(text: string): number | null {
  let depth = 0;
  let isText = false;
  let end: number | null = null;
  for (let index = 0; index < text.length; index += 1) {
    const char = text[index];
    if (isText) {
      if (char === "\\") index += 1;
      else if (char === '"') isText = false;
    } else if (char === '"') isText = true;
    else if (char === "{" || char === "[") depth += 1;
    else if (char === "}" || char === "]") depth -= 1;
    else if (char === "," && depth === 1) end = index;
  }
  return end;
}
