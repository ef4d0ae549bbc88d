/** Calls that rules look for, by their names in some language. */
const names =
  "system|popen|Popen|run|call|check_call|check_output|getoutput|create_subprocess_shell|create_subprocess_exec|capture2e|capture3|exec|execSync|spawn|spawnSync|execFile|execFileSync|passthru|shell_exec|rmtree|rm_rf|rm_r|remove_dir|remove_tree|remove_entry|rmSync|rmdirSync|rm|rmdir|unlink|unlinkSync|removeSync|emptyDirSync";

/** Own names beyond this number are not followed. */
const maxNames = 5;
/** Texts that are put together of more parts are not joined. */
const maxJoins = 5;

// No part of a pattern is unbounded: each place of a text would be looked at from each other one.
const piece = `(?:"((?:[^"\\\\\\n]|\\\\.){0,200})"|'((?:[^'\\\\\\n]|\\\\.){0,200})')`;
const joinedTexts = new RegExp(`${piece}\\s{0,5}[+.]\\s{0,5}[rbf]?${piece}`, "gu");
const member = /(?<=[\w)\]])\[\s{0,5}(["'])(\w{1,40})\1\s{0,5}\]/gu;
const attribute = /\bgetattr\(\s{0,5}([^,\n]{1,80}),\s{0,5}(["'])(\w{1,40})\2\s{0,5}\)/gu;
/** Forms in which a call gets another name; the groups are its own name and the new one. */
const renaming: readonly RegExp[] = [
  new RegExp(`\\b(?<own>${names})\\s{1,5}as\\s{1,5}(?<name>\\w{1,40})`, "gu"),
  new RegExp(`\\b(?<own>${names})\\s{0,5}:\\s{0,5}(?<name>[A-Za-z_]\\w{0,40})`, "gu"),
  new RegExp(
    `\\$?\\b(?<name>\\w{1,40})\\s{0,5}=\\s{0,5}[^=;\\n]{0,120}\\.(?<own>${names})\\s{0,5}(?=[;\\n]|$)`,
    "gu",
  ),
  new RegExp(`\\$(?<name>\\w{1,40})\\s{0,5}=\\s{0,5}["'](?<own>${names})["']`, "gu"),
];

/** Writes calls under the names that they have: `from os import system as s`, `fs["rmSync"]`, `getattr(os, "sys" + "tem")`. */
export function withOwnNames(code: string): string {
  let plain = withJoined(code);
  plain = plain.replaceAll(attribute, "$1.$3").replaceAll(member, ".$2");
  const renamed = renaming.flatMap((pattern) => [...plain.matchAll(pattern)]).slice(0, maxNames);
  for (const { groups } of renamed) {
    const { own, name } = groups ?? {};
    if (own === undefined || name === undefined || name === own) continue;
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

/** Writes the inside of a text in single quotes as one in double quotes. */
const inDouble = (text = ""): string => text.replaceAll(/\\.|"/gsu, (each) => (each === '"' ? '\\"' : each));

const text = /\$?\b([A-Za-z_]\w{0,40})\s{0,5}=\s{0,5}(["'`])([^"'`\\\n]{1,300})\2\s{0,5}(?=[;\n]|$)/gu;

/** Writes the texts of variables where a call is given such a variable first, or where it is joined to another text or is within one. */
function withTexts(code: string): string {
  let plain = code;
  for (const [, name = "", , value = ""] of [...code.matchAll(text)].slice(0, maxNames)) {
    const own = `\\$?${name}`;
    const use = new RegExp(
      `(\\(\\s{0,5})${own}\\s{0,5}(?=[,).+])|(\\+\\s{0,5})${own}\\b|\\b${own}(?=\\s{0,5}\\+)|[$#]?\\{${own}\\}`,
      "gu",
    );
    plain = plain.replaceAll(use, (whole: string, opened?: string, plus?: string) =>
      whole.endsWith("}") ? value : `${opened ?? plus ?? ""}"${value}"`,
    );
  }
  return plain === code ? code : withJoined(plain);
}
