import path from "node:path";

/**
 * The session's id from a rollout's name, `rollout-<local time>-<id>.jsonl` or `.jsonl.zst`; undefined for other files.
 */
export function sessionIdOf(file: string): string | undefined {
  return /(?:^|[/\\])rollout-[^/\\]*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(?:\.zst)?$/iu.exec(
    file,
  )?.[1];
}

/** A rollout's name, the same wherever its file is, and whether it is compressed. */
export function rolloutNameOf(file: string): string {
  return path.basename(file).replace(/\.zst$/iu, "");
}
