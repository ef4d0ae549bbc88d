import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A home, config folder and workspace for an agent, separate from the user's. */
export interface Scratch {
  readonly root: string;
  readonly home: string;
  readonly config: string;
  readonly workspace: string;
  remove(): Promise<void>;
}

export async function makeScratch(): Promise<Scratch> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "purser-agent-")));
  const scratch = {
    root,
    home: join(root, "home"),
    config: join(root, "claude"),
    workspace: join(root, "workspace"),
    // Retries, since a just killed agent may still be writing.
    remove: async () => rm(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
  for (const folder of [scratch.home, scratch.config, scratch.workspace]) await mkdir(folder);
  return scratch;
}
