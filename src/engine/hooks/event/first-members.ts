import { parseJson } from "../../base/parse-json.ts";

/**
 * The members of an object whose text was cut off somewhere: those that are there as a whole, up to the first that is not. Undefined
 * for what does not begin as an object.
 */
export function firstMembers(text: string): unknown {
  const end = lastComma(text);
  return end === null ? undefined : parseJson(`${text.slice(0, end)}}`);
}

/** Where the last member that is whole ends. Null where none is. */
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
