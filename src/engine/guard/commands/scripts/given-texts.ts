import type { Argument } from "../invocation.ts";
import { isCut, isUnknown } from "../invocation.ts";
import type { Input } from "../inner-scope.ts";
import type { Scope } from "../scope.ts";

/** Longest text that is put into code. Characters. */
const longestText = 2000;

const variable =
  /\b(?:os\.environ(?:\[|\.get\()|os\.getenv\(|ENV(?:\[|\.fetch\()|process\.env\[|getenv\(|Deno\.env\.get\()\s{0,3}["'](\w{1,60})["']\s{0,3}[\])]|\bprocess\.env\.(\w{1,60})\b(?!\s{0,3}=[^=])|\$ENV\{["']?(\w{1,60})["']?\}/gu;
const parameter =
  /\b(?:sys\.argv|process\.argv|Deno\.args|ARGV)\[(\d)\]|\$(?:ARGV|argv)\[(\d)\]|\b(?:system|exec)\(\s{0,3}(shift)\b/gu;
/** Interpreters that count their code's parameters from zero. */
const fromZero = /^(?:perl|ruby|deno)/u;
const wholeInput =
  /\bsys\.stdin\.(?:read|readline)\(\)|\binput\(\)|\b(?:require\(["'](?:node:)?fs["']\)|fs)\.readFileSync\(\s{0,3}(?:0|["']\/dev\/stdin["'])[^()\n]{0,40}\)(?:\.toString\(\))?|\b(?:STDIN|\$stdin)\.(?:read|gets)\b|<STDIN>|\bfile_get_contents\(["']php:\/\/stdin["']\)|\bio\.read\([^()\n]{0,10}\)/gu;
/** In code that an interpreter runs for each line of its input, the line. */
const eachLine = /\$_\b(?!\[)/gu;
const lineOfAwk = /\$0\b/gu;

/** Writes what code reads of its environment, its parameters and its input as literals, where the command line says it. */
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
      return written(value) ?? whole;
    })
    .replaceAll(parameter, (whole: string, first?: string, second?: string, shifted?: string) => {
      const at = shifted === undefined ? Number(first ?? second) - offset : 0;
      const text = written(parameters[at]);
      if (text === null) return whole;
      return shifted === undefined ? text : whole.replace(/shift$/u, () => text);
    });
  const given = written(input.text?.trim().replaceAll(/\n+/gu, "; "));
  if (given === null) return plain;
  if (program.endsWith("awk")) return plain.replaceAll(lineOfAwk, () => given);
  const isEach = args.some(({ text }) => /^-\w{0,9}[np]\w{0,9}$/u.test(text));
  const lines = isEach ? plain.replaceAll(eachLine, () => given) : plain;
  return lines.replaceAll(wholeInput, () => given);
}

/** Returns the words behind the code. */
function parametersBehind(code: string, args: readonly Argument[]): readonly string[] {
  const at = args.findLastIndex(({ text }) => text !== "" && code.endsWith(text));
  return at === -1 ? [] : args.slice(at + 1).map(({ text }) => text);
}

function written(text: string | undefined): string | null {
  if (text === undefined || text === "" || text.length > longestText) return null;
  return isUnknown(text) || isCut(text) ? null : JSON.stringify(text);
}
