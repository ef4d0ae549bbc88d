import type { GuardedCall } from "./find-hits.ts";

const written = /^(Read|Edit|Write|PowerShell)\((.*?)\)(?: >>> (.*?))?(?: <<< (.*))?$/su;

/**
 * Reads a call as written in a rule's examples: a command line, or `Read(FILE)`, `Edit(FILE) >>> REPLACED <<< TEXT`, `Write(FILE) <<< TEXT`, `PowerShell(COMMAND)`.
 */
export function readExample(text: string): GuardedCall {
  const match = written.exec(text);
  if (match === null) return { kind: "command", command: text, shell: "posix" };
  const [, tool, inner = "", removed, content] = match;
  if (tool === "PowerShell") return { kind: "command", command: inner, shell: "powershell" };
  return {
    kind: "file",
    tool: tool === "Read" ? "read" : "edit",
    file: inner,
    content: content ?? null,
    removed: removed ?? null,
  };
}
