import type { Configuration } from "../../src/engine/bench/configuration.ts";

/** What a configuration does to a run: its share of the usual tokens, and its chance to pass. */
export interface Effect {
  readonly tokens: number;
  readonly passes: number;
}

/** The project's instructions, which one comparison leaves out. */
export const instructions = `# Harbor

- Server code is in \`src/server\`, shared types in \`src/shared\`. Read the types first.
- \`npm test -- FILE\` runs one test file.
- Money is in cents.
`;

/** The rules of the story, with what each truly does. */
export const rules = {
  onlyChanged: "Run only the test file of what you changed, and all tests once at the end.",
  searchFirst: "Search for the symbol before you open a file, and read only the lines around it.",
  printWhole: "Print the whole file after each edit to see that it is right.",
  firstMatch: "Edit the first file that matches, without looking for other callers.",
  nameTests: "Name each test after the behaviour it holds.",
  typesFirst: "(when editing routes) Read src/shared/types.ts before the route.",
  oneSearch: "Read a file once and keep its line numbers, instead of reading it again.",
  fixtures: "(when editing tests) Use the fixtures in test/support instead of new ones.",
} as const;

/**
 * The true effect of a configuration. Only the runs are drawn from it: what they prove is for the verdict room to say, which does not know
 * it.
 */
export function effectOf({ model, effort, memory, overlay }: Configuration, taskId: string): Effect {
  const has = (rule: string) => memory?.includes(rule) === true;
  const isWithout = overlay.some(({ path, text }) => path === "CLAUDE.md" && text === null);
  let tokens = 1;
  let passes = 0.97;
  if (has(rules.onlyChanged)) tokens *= 0.78;
  if (has(rules.searchFirst)) tokens *= 0.8;
  if (has(rules.printWhole)) tokens *= 1.34;
  if (has(rules.firstMatch)) {
    tokens *= 0.9;
    if (taskId.includes("return-once")) passes = 0.05;
  }
  if (has(rules.nameTests)) tokens *= 0.97;
  if (model.includes("haiku")) tokens *= 0.66;
  if (effort === "low") tokens *= 0.985;
  if (isWithout) tokens *= 1.33;
  return { tokens, passes };
}
