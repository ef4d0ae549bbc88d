/** Calls that rules look for, by their names in some language. */
const names =
  "system|popen|Popen|run|call|check_call|check_output|getoutput|exec|execSync|spawn|spawnSync|execFile|execFileSync|passthru|shell_exec|rmtree|rm_rf|rm_r|remove_dir|remove_tree|remove_entry|rmSync|rmdirSync|rm|rmdir|unlink|unlinkSync|removeSync|emptyDirSync";

/** Own names beyond this number are not followed. */
const maxNames = 5;
/** Texts that are put together of more parts are not joined. */
const maxJoins = 5;

// No part of a pattern is unbounded: each place of a text would be looked at from each other one.
const joinedTexts = /(["'])([^"'\\\n]{0,100})\1\s{0,5}[+.]\s{0,5}(["'])([^"'\\\n]{0,100})\3/gu;
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
  let plain = code;
  for (let join = 0; join < maxJoins; join += 1) {
    const next = plain.replaceAll(
      joinedTexts,
      (_all, _one, first: string, _two, second: string) => `"${first}${second}"`,
    );
    if (next === plain) break;
    plain = next;
  }
  plain = plain.replaceAll(attribute, "$1.$3").replaceAll(member, ".$2");
  const renamed = renaming.flatMap((pattern) => [...plain.matchAll(pattern)]).slice(0, maxNames);
  for (const { groups } of renamed) {
    const { own, name } = groups ?? {};
    if (own === undefined || name === undefined || name === own) continue;
    plain = plain.replaceAll(new RegExp(`(?<![\\w.])\\$?${name}\\s{0,3}\\(`, "gu"), () => `${own}(`);
  }
  return withTexts(plain);
}

const text = /\$?\b([A-Za-z_]\w{0,40})\s{0,5}=\s{0,5}(["'])([^"'\\\n]{3,300})\2\s{0,5}(?=[;\n]|$)/gu;

/** Writes the texts of variables where a call is given such a variable alone, or first. */
function withTexts(code: string): string {
  let plain = code;
  for (const [, name = "", , value = ""] of [...code.matchAll(text)].slice(0, maxNames)) {
    const use = new RegExp(`\\(\\s{0,5}\\$?${name}\\s{0,5}(?=[,)])`, "gu");
    plain = plain.replaceAll(use, () => `("${value}"`);
  }
  return plain;
}
