import { plainSentence, t } from "../../base/language.ts";
import { refusalRemedy } from "../../base/files.ts";
import { asLine } from "../terminal-text.ts";
import { cleanText } from "../../base/text.ts";
import type { Output } from "../cli-ports.ts";

const permission = (code: string) =>
  t(
    "{0}: permission refused. Check owner and permissions, or set PURSER_HOME to a folder of your own.",
    code,
  );
const remedies: Readonly<Record<string, () => string>> = {
  EACCES: () => permission("EACCES"),
  EPERM: () => permission("EPERM"),
  EROFS: () => t("EROFS: this disk is read-only. Set PURSER_HOME to a folder that can be written."),
  ENOSPC: () =>
    t(
      "ENOSPC: the disk is full. Free some space: nothing that was recorded is lost, and purser goes on by itself.",
    ),
};
const codes = new RegExp(`\\b(?:${Object.keys(remedies).join("|")})\\b`, "gu");

/** A system's refusal ends the command with one line instead of a stack trace. Each printed error code is followed by its remedy. */
export async function withRemedies(
  name: string,
  stderr: Output,
  run: (stderr: Output) => Promise<number>,
): Promise<number> {
  const seen = new Set<string>();
  const look = (text: string) => {
    // A message with a remedy for its ledger needs no second line.
    const own = refusalRemedy(plainSentence(text));
    if (own !== null && text.includes(asLine(own))) return;
    for (const [code] of text.matchAll(codes)) seen.add(code);
  };
  const watched = watch(stderr, look);
  try {
    return await run(watched);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { path: file = "", code } = error;
    const about = file === "" ? code : `${file}: ${code}`;
    watched.write(`purser ${name}: ${cleanText(about)}\n`);
    return 1;
  } finally {
    for (const code of seen) stderr.write(`${remedies[code]?.() ?? code}\n`);
  }
}

function watch(output: Output, look: (text: string) => void): Output {
  const write: Output["write"] = (text) => {
    if (typeof text === "string") look(text);
    return output.write(text);
  };
  return new Proxy(output, {
    get: (target, name) => {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return (...args: unknown[]): unknown => Reflect.apply(value, target, args);
    },
  });
}

interface Refusal {
  readonly code: string;
  readonly path?: string;
}

/** An error of a system call that has a remedy. Any other is a bug. */
function isRefusal(error: unknown): error is Error & Refusal {
  return (
    error instanceof Error &&
    "syscall" in error &&
    "code" in error &&
    typeof error.code === "string" &&
    Object.hasOwn(remedies, error.code)
  );
}
