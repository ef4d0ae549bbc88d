import { test } from "node:test";
import { runExtensionTests } from "./extension-tests.ts";
import { editors } from "../pinned-packages.ts";
import type { EditorChoice } from "../pinned-packages.ts";

/** Runs the tests inside one VS Code and reports each as a separate test. */
export function reportInside(choice: EditorChoice): void {
  test(`inside the ${choice} VS Code (${editors[choice].version})`, { timeout: 180_000 }, async (t) => {
    for (const { name, ms, failure } of await runExtensionTests(choice)) {
      await t.test(`${name} (${ms} ms in the editor)`, () => {
        if (failure !== undefined) throw new Error(failure);
      });
    }
  });
}
