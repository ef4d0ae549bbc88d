/**
 * Row types from which only the time is used. Recognized by their first bytes, without parsing: some rows are large.
 */
const quietTypes: ReadonlySet<string> = new Set([
  "atis-latch",
  "file-history-delta",
  "file-history-snapshot",
  "host-row",
  "last-prompt",
  "queue-operation",
  "repl-mode",
  "tools-used",
]);
const quietStart = `{"type":"`;
/** Characters of a row's start that contain its type. */
const startLength = 40;

/** Whether a line holds nothing to collect. */
export function isQuiet(line: Buffer): boolean {
  // The "y" of `{"type"`: most rows begin with another member.
  if (line[3] !== 0x79) return false;
  const start = line.toString("latin1", 0, startLength);
  return (
    start.startsWith(quietStart) && quietTypes.has(start.slice(quietStart.length).split('"', 1)[0] ?? "")
  );
}
