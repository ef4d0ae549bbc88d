import path from "node:path";

/**
 * What an editor runs once the extension was uninstalled and the editor began anew, with a runtime of its own and nobody who would read
 * what is printed.
 */
const folder = path.join(path.dirname(import.meta.filename), "..");

/** The editor ends what takes longer than 5 s. Each file is changed as a whole or not at all. Milliseconds. */
const longest = 4500;

async function main(): Promise<void> {
  const { takeOutHooks } = await import("./hooks/upkeep.ts");
  await takeOutHooks(folder);
}

setTimeout(() => process.exit(0), longest).unref();
main().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stderr.write(`Context Purser: ${String(error)}\n`);
    process.exit(1);
  },
);
