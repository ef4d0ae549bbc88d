import path from "node:path";

/** Repairs the user's own hooks. A service starts it once it answers hooks. Prints the outcome in the format that `hooks/repair.ts` reads. */
const isBundled = !import.meta.filename.endsWith(".ts");
const program = path.join(path.dirname(import.meta.filename), isBundled ? "service.cjs" : "main.ts");

async function main(): Promise<void> {
  const { repairOwnHooks } = await import("./launch/upkeep.ts");
  process.stdout.write(JSON.stringify(await repairOwnHooks(program)));
}

void main();
