import type { Match } from "../../calls/rule.ts";

/** Returns matches of what takes the rights to a kind of file away, so that nothing reads, writes or runs it any more. */
export function locking(path: string): Match[] {
  return [
    { program: "chmod", place: "here", operand: { path }, text: "(?:^|\\s)(?:[ugoa]*-[rwx]+|[0-7]?000)\\s" },
    { program: "chattr", place: "here", operand: { path }, text: "^\\+i\\b" },
  ];
}

/** Returns matches of all that changes a kind of file: redirections, programs that write to their operands, and the Edit and Write tools. */
export function writing(path: string, truncates = false): Match[] {
  return [
    { program: "*", place: "here", writes: truncates ? { path, truncates: true } : { path } },
    {
      program: "tee|sponge",
      place: "here",
      operand: { path },
      ...(truncates ? { without: "-a|--append" } : {}),
    },
    { program: "sed|gsed", place: "here", operand: { path }, flags: ["-i|--in-place"] },
    { program: "perl", place: "here", operand: { path }, flags: ["-i|-pi"] },
    { program: "cp|mv|install|ln|rsync", place: "here", last: { path }, without: "-n|--dry-run|-t" },
    { program: "rm|unlink|shred|truncate|rimraf|trash", place: "here", operand: { path } },
    { program: "mv", place: "here", operand: { path } },
    { program: "dd", place: "here", operand: { like: "of=(?P<path>.+)", path } },
    { program: "curl|wget", place: "here", value: { of: "-o|--output|-O|--output-document", path } },
    {
      program: `set-content|out-file|clear-content|remove-item|new-item${truncates ? "" : "|add-content"}`,
      place: "here",
      operand: { path },
      ...(truncates ? { without: "-Append" } : {}),
    },
    {
      program: "set-content|out-file|remove-item",
      place: "here",
      value: { of: "-Path|-LiteralPath|-FilePath", path },
    },
    { tool: "edit", path },
  ];
}
