import type { SessionSnapshot } from "../../engine/context/snapshot.ts";

/** The line to paste into a terminal to go on with a session. The agent finds a session only from its own folder. */
export function resumeCommand(
  { id, cwd }: Pick<SessionSnapshot, "id" | "cwd">,
  platform: NodeJS.Platform,
): string {
  const resume = `claude --resume ${quoted(id, platform)}`;
  if (cwd === null) return resume;
  return platform === "win32"
    ? `cd ${quoted(cwd, platform)}; ${resume}`
    : `cd ${quoted(cwd, platform)} && ${resume}`;
}

/** Both come from a file: quoted, so that a shell takes them as words and never as something to run. */
function quoted(word: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./-]+$/u.test(word) && !word.startsWith("-")) return word;
  // A line break would run what is before it, an escape could end the terminal's guard around what is pasted.
  const line = word.replace(/\p{Cc}/gu, "");
  // To PowerShell, typographic quotes are quotes too.
  return platform === "win32"
    ? `'${line.replace(/['\u2018-\u201b]/gu, "$&$&")}'`
    : `'${line.replaceAll("'", `'\\''`)}'`;
}
