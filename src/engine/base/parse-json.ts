/** Parses JSON; returns undefined, which no JSON is, for an invalid text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
