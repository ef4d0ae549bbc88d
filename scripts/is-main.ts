import { realpathSync } from "node:fs";

/** Whether a module is the program that Node was started with: `import.meta.main`, which Node 22 does not have. */
export function isMain(file: string): boolean {
  const [, program] = process.argv;
  return program !== undefined && realpathSync(program) === file;
}
