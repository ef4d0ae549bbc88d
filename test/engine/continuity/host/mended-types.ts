/** Rows of a Claude Code session in which types fail and an install repairs them. */
export function rowsOf(id: string, cwd: string): string {
  let count = 0;
  const at = () => new Date(1_900_000_000_000 + (count += 1) * 1000).toISOString();
  const row = (type: string, message: object) =>
    JSON.stringify({ type, sessionId: id, cwd, gitBranch: "main", timestamp: at(), message });
  const call = (command: string, text: string, isError: boolean) => {
    const use = `${id}-${count}`;
    const asked = { type: "tool_use", id: use, name: "Bash", input: { command } };
    const result = { type: "tool_result", tool_use_id: use, content: text, is_error: isError };
    return [
      row("assistant", { id: `m${use}`, model: "claude-sonnet-4-5", content: [asked] }),
      row("user", { role: "user", content: [result] }),
    ];
  };
  return [
    row("user", { role: "user", content: "mend the types" }),
    ...call("npx tsc --noEmit", "error TS2307: Cannot find module 'zod'.", true),
    ...call("npm install zod", "added 1 package", false),
    ...call("npx tsc --noEmit", "", false),
  ]
    .map((line) => `${line}\n`)
    .join("");
}
