import { existsSync, realpathSync } from "node:fs";

/**
 * Whether a module is the program that Node was started with: `import.meta.main`, which Node 22 does not have. The tests of one process are started
 * with a pattern instead.
 */
export function isMain(file: string, program = process.argv[1]): boolean {
  return program !== undefined && existsSync(program) && realpathSync(program) === file;
}
