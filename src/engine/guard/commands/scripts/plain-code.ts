import type { Input } from "../inner-scope.ts";
import { type Argument, isCut, isUnknown } from "../invocation.ts";
import type { Scope } from "../scope.ts";

type Form = "base64" | "hex";

// Bounded, as unbounded parts of these patterns would take quadratic time.
const literal = "b?([\"'])([A-Za-z0-9+/=_-]{4,4000})\\1";
const end = "\\s{0,3}\\)(?:\\s{0,3}\\.(?:decode|toString|to_s)\\([^()\\n]{0,30}\\)|\\[0\\])?";
/** Calls that decode a literal. */
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

/** Matches all code with a decoded literal: one quick test instead of a dozen patterns. */
const decoder = /decode|atob|Buffer|hex|pack|CharCode|bytes|chr|::|\.reverse|\.join/u;

/** Replaces decoded literals by their texts. */
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

/** Lines of a text are separate commands. */
const written = (text: string): string => JSON.stringify(text.replaceAll(/[\r\n]+/gu, "; "));

/** Names of calls that are searched for. */
const names =
  "system|popen|Popen|run|call|check_call|check_output|getoutput|create_subprocess_shell|create_subprocess_exec|capture2e|capture3|exec|execSync|spawn|spawnSync|execFile|execFileSync|passthru|shell_exec|rmtree|rm_rf|rm_r|remove_dir|remove_tree|remove_entry|rmSync|rmdirSync|rm|rmdir|unlink|unlinkSync|removeSync|emptyDirSync";

/** Maximum renamed calls. */
const maxNames = 5;
/** Maximum joined parts of a text. */
const maxJoins = 5;

// Bounded, as unbounded parts of these patterns would take quadratic time.
const piece = `(?:"((?:[^"\\\\\\n]|\\\\.){0,200})"|'((?:[^'\\\\\\n]|\\\\.){0,200})')`;
const joinedTexts = new RegExp(`${piece}\\s{0,5}[+.]\\s{0,5}[rbf]?${piece}`, "gu");
const member = /(?<=[\w)\]])\[\s{0,5}(["'])(\w{1,40})\1\s{0,5}\]/gu;
const attribute = /\bgetattr\(\s{0,5}([^,\n]{1,80}),\s{0,5}(["'])(\w{1,40})\2\s{0,5}\)/gu;
/** Ways to rename a call. The groups are its own name and the new one. */
const renaming: readonly RegExp[] = [
  new RegExp(`\\b(?<own>${names})\\s{1,5}as\\s{1,5}(?<name>\\w{1,40})`, "gu"),
  new RegExp(`\\b(?<own>${names})\\s{0,5}:\\s{0,5}(?<name>[A-Za-z_]\\w{0,40})`, "gu"),
  new RegExp(
    `\\$?\\b(?<name>\\w{1,40})\\s{0,5}=\\s{0,5}[^=;\\n]{0,120}\\.(?<own>${names})\\s{0,5}(?=[;\\n]|$)`,
    "gu",
  ),
  new RegExp(`\\$(?<name>\\w{1,40})\\s{0,5}=\\s{0,5}["'](?<own>${names})["']`, "gu"),
];

/** A function of the code itself, with its first parameter. */
const definition =
  /\b(?:def|function|const|let)\s{1,3}(?<name>\w{1,40})(?:\s{0,3}=\s{0,3}(?:async\s{0,3})?)?\(\s{0,3}\$?(?<given>\w{1,40})/gu;
const passedOn = new RegExp(`\\b(?<own>${names})\\(\\s{0,3}\\$?(?<given>\\w{1,40})`, "u");
/** Maximum functions, and the part of one that is read. Characters. */
const [maxFunctions, bodyLength] = [40, 200];

/** Returns the functions that pass on their first parameter to a call. */
function passingFunctions(code: string): { readonly own: string; readonly name: string }[] {
  return [...code.matchAll(definition)].slice(0, maxFunctions).flatMap((match) => {
    const { name = "", given } = match.groups ?? {};
    const begin = match.index + match[0].length;
    const call = passedOn.exec(code.slice(begin, begin + bodyLength))?.groups;
    return call?.["own"] === undefined || call["given"] !== given ? [] : [{ own: call["own"], name }];
  });
}

/** Writes calls under their own names: `from os import system as s`, `fs["rmSync"]`, `getattr(os, "sys" + "tem")`. */
export function withOwnNames(code: string): string {
  let plain = withJoined(code);
  plain = plain.replaceAll(attribute, "$1.$3").replaceAll(member, ".$2");
  const renamed = renaming
    .flatMap((pattern) => [...plain.matchAll(pattern)])
    .map(({ groups }) => ({ own: groups?.["own"] ?? "", name: groups?.["name"] ?? "" }));
  for (const { own, name } of [
    ...renamed.slice(0, maxNames),
    ...passingFunctions(plain).slice(0, maxNames),
  ]) {
    if (own === "" || name === "" || name === own) continue;
    plain = plain.replaceAll(new RegExp(`(?<![\\w.])\\$?${name}\\s{0,3}\\(`, "gu"), () => `${own}(`);
  }
  return withTexts(plain);
}

function withJoined(code: string): string {
  let plain = code;
  for (let join = 0; join < maxJoins; join += 1) {
    const next = plain.replaceAll(
      joinedTexts,
      (_all, first?: string, second?: string, third?: string, fourth?: string) =>
        `"${first ?? inDouble(second)}${third ?? inDouble(fourth)}"`,
    );
    if (next === plain) break;
    plain = next;
  }
  return plain;
}

/** Converts a text in single quotes for double quotes. */
const inDouble = (text = ""): string => text.replaceAll(/\\.|"/gsu, (each) => (each === '"' ? '\\"' : each));

const text = /\$?\b([A-Za-z_]\w{0,40})\s{0,5}=\s{0,5}(["'`])([^"'`\\\n]{1,300})\2\s{0,5}(?=[;\n]|$)/gu;

const list = /\$?\b([A-Za-z_]\w{0,40})\s{0,5}=\s{0,5}(\[\s{0,9}["'][^\]\n]{1,300}\])\s{0,5}(?=[;\n]|$)/gu;

/** Replaces variables by their texts as the first argument of a call, in joined texts, and within texts. */
function withTexts(code: string): string {
  let plain = code;
  for (const [, name = "", values = ""] of [...code.matchAll(list)].slice(0, maxNames))
    plain = plain.replaceAll(new RegExp(`(?<=\\(\\s{0,5})\\$?${name}\\s{0,5}(?=[,)])`, "gu"), () => values);
  for (const [, name = "", , value = ""] of [...code.matchAll(text)].slice(0, maxNames)) {
    const own = `\\$?${name}`;
    const use = new RegExp(
      `(\\(\\s{0,5})${own}\\s{0,5}(?=[,).+])|(\\+\\s{0,5})${own}\\b|\\b${own}(?=\\s{0,5}\\+)|[$#]?\\{${own}\\}|(?<=["\\s/])\\$${name}(?![\\w\\s]*[=[(.])`,
      "gu",
    );
    plain = plain.replaceAll(use, (whole: string, opened?: string, plus?: string) =>
      whole.endsWith("}") || whole === `$${name}` ? value : `${opened ?? plus ?? ""}"${value}"`,
    );
  }
  return plain === code ? code : withJoined(plain);
}

/** Maximum text that is inserted into code. Characters. */
const maxTextLength = 2000;

const variable =
  /\b(?:os\.environ(?:\[|\.get\()|os\.getenv\(|ENV(?:\[|\.fetch\()|process\.env\[|getenv\(|Deno\.env\.get\()\s{0,3}["'](\w{1,60})["']\s{0,3}[\])]|\bprocess\.env\.(\w{1,60})\b(?!\s{0,3}=[^=])|\$ENV\{["']?(\w{1,60})["']?\}/gu;
const parameter =
  /\b(?:sys\.argv|process\.argv|Deno\.args|ARGV)\[(\d)\]|\$(?:ARGV|argv)\[(\d)\]|\b(?:system|exec)\(\s{0,3}(shift)\b/gu;
/** Interpreters that count parameters from zero. */
const fromZero = /^(?:perl|ruby|deno)/u;
const wholeInput =
  /\bsys\.stdin\.(?:read|readline)\(\)|\binput\(\)|\b(?:require\(["'](?:node:)?fs["']\)|fs)\.readFileSync\(\s{0,3}(?:0|["']\/dev\/stdin["'])[^()\n]{0,40}\)(?:\.toString\(\))?|\b(?:STDIN|\$stdin)\.(?:read|gets)\b|<STDIN>|\bfile_get_contents\(["']php:\/\/stdin["']\)|\bio\.read\([^()\n]{0,10}\)/gu;
/** The current line in code that runs for each line of the input. */
const eachLine = /\$_\b(?!\[)/gu;
const lineOfAwk = /\$0\b/gu;

/** Replaces environment, parameters and input in code by known texts. */
export function withGivenTexts(
  code: string,
  program: string,
  {
    args,
    scope,
    input,
  }: { readonly args: readonly Argument[]; readonly scope: Scope; readonly input: Input },
): string {
  const parameters = parametersBehind(code, args);
  const offset = fromZero.test(program) ? 0 : 1;
  const plain = code
    .replaceAll(variable, (whole: string, first?: string, second?: string, third?: string) => {
      const value = scope.variables.get(first ?? second ?? third ?? "")?.[0]?.text;
      return literalOf(value) ?? whole;
    })
    .replaceAll(parameter, (whole: string, first?: string, second?: string, shifted?: string) => {
      const at = shifted === undefined ? Number(first ?? second) - offset : 0;
      const text = literalOf(parameters[at]);
      if (text === null) return whole;
      return shifted === undefined ? text : whole.replace(/shift$/u, () => text);
    });
  const given = literalOf(input.text?.trim().replaceAll(/\n+/gu, "; "));
  if (given === null) return plain;
  if (program.endsWith("awk")) return plain.replaceAll(lineOfAwk, () => given);
  const isEach = args.some(({ text }) => /^-\w{0,9}[np]\w{0,9}$/u.test(text));
  const lines = isEach ? plain.replaceAll(eachLine, () => given) : plain;
  return lines.replaceAll(wholeInput, () => given);
}

/** Returns the words after the code. */
function parametersBehind(code: string, args: readonly Argument[]): readonly string[] {
  const at = args.findLastIndex(({ text }) => text !== "" && code.endsWith(text));
  return at === -1 ? [] : args.slice(at + 1).map(({ text }) => text);
}

function literalOf(text: string | undefined): string | null {
  if (text === undefined || text === "" || text.length > maxTextLength) return null;
  return isUnknown(text) || isCut(text) ? null : JSON.stringify(text);
}
