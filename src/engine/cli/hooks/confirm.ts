import { createInterface } from "node:readline";
import type { CliHost } from "../ports.ts";

/** Returns whether somebody is there to answer. */
export function canAsk({ stdin, stdout }: CliHost): boolean {
  return stdout.isTTY === true && stdin?.().isTTY === true;
}

/** Asks; anything but a yes is a no, and so is an interruption. */
export async function confirmed(question: string, { stdin, stdout, signal }: CliHost): Promise<boolean> {
  if (stdin === undefined) return false;
  stdout.write(`${question} (y/N) `);
  const lines = createInterface({ input: stdin() });
  try {
    return await new Promise<boolean>((resolve) => {
      lines.once("line", (answer) => resolve(/^y(?:es)?$/iu.test(answer.trim())));
      lines.once("close", () => resolve(false));
      signal.addEventListener("abort", () => resolve(false), { once: true });
    });
  } finally {
    lines.close();
  }
}
