type Form = "base64" | "hex";

// No part of a pattern is unbounded: each place of a text would be looked at from each other one.
const literal = "b?([\"'])([A-Za-z0-9+/=_-]{4,4000})\\1";
const end = "\\s{0,3}\\)(?:\\s{0,3}\\.(?:decode|toString|to_s)\\([^()\\n]{0,30}\\)|\\[0\\])?";
/** Calls that give back the text that an encoding hides in a literal. */
const decoding: readonly (readonly [Form, RegExp])[] = [
  [
    "base64",
    new RegExp(
      `(?:\\w{1,20}(?:\\.|::)){0,2}(?:(?:standard_|urlsafe_)?b64decode|(?:strict_|urlsafe_)?decode64|decode_base64|base64_decode|atob)\\(\\s{0,3}${literal}${end}`,
      "gu",
    ),
  ],
  [
    "base64",
    new RegExp(`\\bBuffer\\.from\\(\\s{0,3}${literal}\\s{0,3},\\s{0,3}["']base64(?:url)?["']${end}`, "gu"),
  ],
  ["hex", new RegExp(`\\bBuffer\\.from\\(\\s{0,3}${literal}\\s{0,3},\\s{0,3}["']hex["']${end}`, "gu")],
  [
    "base64",
    new RegExp(`\\bcodecs\\.decode\\(\\s{0,3}${literal}\\s{0,3},\\s{0,3}["']base64["']${end}`, "gu"),
  ],
  ["hex", new RegExp(`\\bcodecs\\.decode\\(\\s{0,3}${literal}\\s{0,3},\\s{0,3}["']hex["']${end}`, "gu")],
  [
    "hex",
    new RegExp(`(?:\\w{1,20}\\.){0,2}(?:fromhex|unhexlify|hex2bin|a2b_hex)\\(\\s{0,3}${literal}${end}`, "gu"),
  ],
  ["hex", new RegExp(`\\bpack\\(\\s{0,3}["']H\\*["']\\s{0,3},\\s{0,3}${literal}\\s{0,3}\\)`, "gu")],
  ["hex", new RegExp(`\\[\\s{0,3}${literal}\\s{0,3}\\]\\.pack\\(\\s{0,3}["']H\\*["']\\s{0,3}\\)`, "gu")],
  ["base64", new RegExp(`${literal}\\.unpack1?\\(\\s{0,3}["']m0?["']${end}(?:\\.first)?`, "gu")],
];
const numbers =
  /(?:\bString\.fromCharCode\(\s{0,3}|\bbytes\(\s{0,3}\[|\bmap\(\s{0,3}chr\s{0,3},\s{0,3}\[)([\d,\s]{5,2000})\]?\s{0,3}\)(?:\.decode\([^()\n]{0,30}\))?/gu;
const joinedChars = /(["'])\1\.join\(\s{0,3}("[^"\n]{1,2000}")\s{0,3}\)/gu;
const reversed = /(["'])([^"'\\\n]{3,300})\1(?:\[\s{0,3}::\s{0,3}-1\s{0,3}\]|\.reverse\b(?!\())/gu;

/** In each text that one of the patterns finds: most code has none, and looking for one word costs less than a dozen patterns. */
const decoder = /decode|atob|Buffer|hex|pack|CharCode|bytes|chr|::|\.reverse|\.join/u;

/** Writes texts that the code decodes from its own literals as literals, so that what is done with them is read. */
export function withDecodedTexts(code: string): string {
  if (!decoder.test(code)) return code;
  let plain = code.replaceAll(reversed, (_all, _quote, text: string) =>
    JSON.stringify(Array.from(text).reverse().join("")),
  );
  for (const [form, pattern] of decoding)
    plain = plain.replaceAll(pattern, (whole: string, _quote, text: string) => {
      const decoded = Buffer.from(text, form).toString("utf8");
      return isReadable(decoded) ? written(decoded) : whole;
    });
  return plain
    .replaceAll(numbers, (whole: string, list: string) => {
      const codes = list.split(",").map(Number);
      const text = String.fromCharCode(...codes.filter((each) => each > 0 && each < 128));
      return isReadable(text) ? written(text) : whole;
    })
    .replaceAll(joinedChars, "$2");
}

const isReadable = (text: string): boolean => /^[\t\n\r\x20-\x7E]{2,}$/u.test(text);

/** Lines of a text in a literal are commands of their own. */
const written = (text: string): string => JSON.stringify(text.replaceAll(/[\r\n]+/gu, "; "));
