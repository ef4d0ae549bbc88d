import { chmodSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { scratchFolder } from "./scratch.ts";

/** Whether the fake cannot run here: it is a shell script. */
export const noShell = process.platform === "win32";

/**
 * A program that works like Claude Code on the tasks of `recordedSuite`: it takes fewer tokens if its memory has one rule (or another, or both), and leaves the work undone if it has
 * the other. purser treats it as an agent, not a recording. @returns its path, for `PURSER_CLAUDE`
 */
export function fakeClaude(
  t: TestContext,
  {
    saving,
    breaking,
    also = "none such",
  }: { readonly saving: string; readonly breaking: string; readonly also?: string },
): string {
  const file = path.join(scratchFolder(t), "claude");
  writeFileSync(
    file,
    `#!/bin/sh
[ "$1" = auth ] && { echo '{"loggedIn": true}'; exit 0; }
while [ $# -gt 0 ]; do
  case "$1" in --session-id) id=$2 ;; --agent) agent=$2 ;; esac
  shift
done
memory=$(cat ".claude/agent-memory/$agent/MEMORY.md" 2>/dev/null)
tokens=30000
done=yes
case "$memory" in *"${saving}"*) tokens=21000 ;; esac
case "$memory" in *"${also}"*) tokens=$((tokens * 3 / 4)) ;; esac
case "$memory" in *"${breaking}"*) tokens=12000 done=no ;; esac
tokens=$((tokens + 0x$(printf %.1s "$id") * 40))
[ $done = yes ] && echo 'export const sum = (one, other) => one + other;' > src/sum.mjs
mkdir -p "$CLAUDE_CONFIG_DIR/projects/p"
printf '{"type":"assistant","sessionId":"%s","timestamp":"2026-11-21T10:00:00Z","requestId":"r","message":{"id":"m","model":"ship-1","content":[],"usage":{"input_tokens":%s,"output_tokens":85,"cache_read_input_tokens":14000}}}\\n' "$id" "$tokens" > "$CLAUDE_CONFIG_DIR/projects/p/$id.jsonl"
echo '{"type":"result","subtype":"success","is_error":false,"result":"done"}'
`,
  );
  chmodSync(file, 0o755);
  return file;
}
