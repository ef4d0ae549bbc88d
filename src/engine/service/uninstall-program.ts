import path from "node:path";

/**
 * An editor runs it after the extension was uninstalled and the editor restarted. It runs on the editor's own runtime, and its output is not read.
 */
const folder = path.join(path.dirname(import.meta.filename), "..");

/** The editor kills it after 5 s. Each file is changed as a whole or not at all. Milliseconds. */
const maxDurationMs = 4500;

async function main(): Promise<void> {
  const { removeAllHooks } = await import("./launch/upkeep.ts");
  await removeAllHooks(folder);
}

setTimeout(() => process.exit(0), maxDurationMs).unref();
main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`Context Purser: ${String(error)}\n`);
    process.exit(1);
  },
);
