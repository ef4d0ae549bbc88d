import { quotedWord } from "../quoted-word.ts";
import { fail, succeed, type Result } from "../../base/result.ts";

/**
 * A convoy's id is its file's name, on every system and in every clone of the project. So it has lower case only (some systems
 * fold case: two ids would be one file), nothing that means something in a path, and is no name of a Windows device.
 */
const shape = /^[a-z0-9][a-z0-9_-]{0,63}$/u;
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/u;

/** What an id may be, for a person. */
export const idRule = "up to 64 of a-z, 0-9, - and _, beginning with a letter or digit";

/** Checks what may become a file's name. The detail of a failure says what would be right. */
export function readConvoyId(text: string): Result<string, "invalid_id"> {
  const word = quotedWord(text);
  if (devices.test(text.toLowerCase()))
    return fail("invalid_id", `${word} is the name of a device on Windows; choose another id`);
  if (shape.test(text)) return succeed(text);
  const lower = text.toLowerCase();
  const hint = shape.test(lower) ? `; ${quotedWord(lower)} would do` : "";
  return fail("invalid_id", `${word} is no id of a convoy: it has ${idRule}${hint}`);
}
