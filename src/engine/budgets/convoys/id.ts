import { sentence } from "../../base/language.ts";
import { fail, succeed, type Result } from "../../base/result.ts";
import { cleanText } from "../../base/text.ts";

/**
 * A convoy's id is its file's name, on every system and in every clone of the project. So it is lower case only (some systems
 * fold case: two ids would be one file), without special characters of paths, and not the name of a Windows device.
 */
const shape = /^[a-z0-9][a-z0-9_-]{0,63}$/u;
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/u;

/** The form of an id, in words. */
export const idRule = sentence("up to 64 of a-z, 0-9, - and _, and starts with a letter or digit");

/** Validates an id, which becomes a file's name. A failure's detail describes a valid id. */
export function readConvoyId(text: string): Result<string, "invalid_id"> {
  const word = quotedWord(text);
  if (devices.test(text.toLowerCase()))
    return fail("invalid_id", sentence("{0} is the name of a device on Windows; choose another id", word));
  if (shape.test(text)) return succeed(text);
  const lower = text.toLowerCase();
  const named = { word, rule: idRule };
  return fail(
    "invalid_id",
    shape.test(lower)
      ? sentence("{word} is not a valid group ID: it has {rule}; {lower} would do", {
          ...named,
          lower: quotedWord(lower),
        })
      : sentence("{word} is not a valid group ID: it has {rule}", named),
  );
}

/** Quotes untrusted text for a message: on one line, short, and harmless. */
export function quotedWord(text: string): string {
  const clean = cleanText(text);
  return JSON.stringify(clean.length > 60 ? `${clean.slice(0, 60)}…` : clean);
}
