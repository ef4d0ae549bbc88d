import path from "node:path";

/**
 * The program that a service starts once it answers hooks: repairs the user's own hooks. Prints what it did, in the format that
 * `hooks/repair.ts` reads.
 */
const isBundled = !import.meta.filename.endsWith(".ts");
const program = path.join(path.dirname(import.meta.filename), isBundled ? "service.cjs" : "main.ts");

async function main(): Promise<void> {
  const { mendOwnHooks } = await import("./hooks/upkeep.ts");
  process.stdout.write(JSON.stringify(await mendOwnHooks(program)));
}

void main();
