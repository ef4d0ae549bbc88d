import path from "node:path";

/** The program that a service begins once it answers hooks: mends the user's own. Prints what it did, as `hooks/repair.ts` reads it. */
const isBundled = !import.meta.filename.endsWith(".ts");
const program = path.join(path.dirname(import.meta.filename), isBundled ? "service.cjs" : "main.ts");

async function main(): Promise<void> {
  const { mendOwnHooks } = await import("./hooks/upkeep.ts");
  process.stdout.write(JSON.stringify(await mendOwnHooks(program)));
}

void main();
