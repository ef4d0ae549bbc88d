import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TestContext } from "node:test";
import { scratchFolder } from "../../support/scratch.ts";
import { lines, type Row } from "./rows.ts";

/** A test's own folder, removed when the test is over. */
export class Scratch {
  readonly folder: string;

  constructor(test: TestContext) {
    this.folder = scratchFolder(test);
  }

  path(...parts: readonly string[]): string {
    return path.join(this.folder, ...parts);
  }

  /** Writes a file and creates its parent folders. */
  write(name: string, text: string): string {
    const file = this.path(name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  append(name: string, rows: readonly Row[]): string {
    const file = this.path(name);
    mkdirSync(path.dirname(file), { recursive: true });
    appendFileSync(file, lines(rows));
    return file;
  }
}
