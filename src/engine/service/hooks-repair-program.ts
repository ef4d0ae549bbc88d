import path from "node:path";

/** Repairs the user's own hooks, once a service answers them. Prints the outcome in the format that `hooks/repair.ts` reads. */
const isBundled = !import.meta.filename.endsWith(".ts");
const program = path.join(path.dirname(import.meta.filename), isBundled ? "service.cjs" : "main.ts");

async function main(): Promise<void> {
  const { mendOwnHooks } = await import("./hooks/upkeep.ts");
  process.stdout.write(JSON.stringify(await mendOwnHooks(program)));
}

void main();
