import { existsSync } from "node:fs";
import tseslint from "typescript-eslint";
import importX from "eslint-plugin-import-x";
import regexp from "eslint-plugin-regexp";
// The engine's rooms, in the order data flows. A room imports only rooms before it.
import rooms from "./scripts/rooms.json" with { type: "json" };

const engineZones = rooms.slice(0, -1).map((room, index) => ({
  target: `./src/engine/${room}`,
  from: rooms.slice(index + 1).map((later) => `./src/engine/${later}`),
  message: `The room "${room}" may import only the rooms before it: ${rooms.slice(0, index).join(", ") || "none"}.`,
}));

/** A room's root files are its doors: from outside, only they may be imported. */
const doorZones = rooms.map((room) => ({
  target: [`./src/engine/!(${room})/**/*`, "./src/extension/**/*", "./src/webview/**/*"],
  from: `./src/engine/${room}/*/**`,
  message: `Of the room "${room}", other rooms may import only the files in src/engine/${room} itself.`,
}));

/** What a panel may import from the engine: a room's answers, and formatting of numbers and outside text. */
export const panelKnows = ["*/*-answers.ts", "base/{text,language,format,local-format,confidence}.ts"];

const zones = [
  ...engineZones,
  ...doorZones,
  { target: "./src/engine", from: ["./src/extension", "./src/webview"], message: "The engine is headless." },
  {
    target: "./src/webview",
    from: ["./src/extension"],
    message: "A webview knows its protocol, not its host.",
  },
  {
    target: "./src/webview",
    from: ["./src/engine/**/*"],
    except: panelKnows.map((known) => `**/src/engine/${known}`),
    message: `A panel shows answers and reckons nothing. Of the engine it knows ${panelKnows.join(", ")}.`,
  },
  { target: "./src", from: ["./test", "./scripts"], message: "The product does not know its tests." },
].filter((zone) => typeof zone.target !== "string" || existsSync(zone.target));

/** A literal spread into a literal is hard to read, and hides excess members from the compiler. */
const literalSpreads = [
  "ObjectExpression > SpreadElement > ObjectExpression",
  "ArrayExpression > SpreadElement > ArrayExpression",
].map((selector) => ({ selector, message: "Write the members themselves: a spread literal is no shorter." }));

/** The texts of a schema's messages are loaded by the module that returns them. */
const schemaMessages = {
  selector: `MemberExpression[property.name="issues"], MemberExpression[object.name="z"][property.name=/^(prettify|treeify|format|flatten)Error$/]`,
  message:
    "Read issuesOf or issuesText of base/schema-issues.ts, or issuePath of base/parse.ts where only the place counts.",
};

/** One reader for JSON: `JSON.parse` throws, and its `any` needs a check at each place. */
const ownJson = {
  selector: `CallExpression[callee.object.name="JSON"][callee.property.name="parse"]`,
  message: "Call parseJson or readJson of base/parse.ts.",
};

/** One import of the whole library adds 80 kB to its bundle. */
const wholeZod = { name: "zod", message: "Import zod/mini." };

// Rules that need types are in .oxlintrc.json: `npm run types` checks them together with the types.
export default tseslint.config(
  // The fixture is a separate project, and a check is part of it while it runs; both follow the fixture's rules
  // (test/golden). AssemblyScript is checked by its compiler.
  { ignores: ["dist/**", "out/**", "node_modules/**", "fixture/**", "golden/**", "**/compiled/assembly/**"] },
  {
    files: ["**/*.ts"],
    extends: [tseslint.configs.strict, tseslint.configs.stylistic],
    plugins: { "import-x": importX },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "import-x/no-restricted-paths": ["error", { zones }],
      "import-x/no-default-export": "error",
      "no-restricted-syntax": ["error", ...literalSpreads],
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      "@typescript-eslint/no-dynamic-delete": "error",
      "no-console": "error",

      eqeqeq: "error",
    },
  },
  {
    files: ["src/**"],
    rules: {
      "no-restricted-imports": ["error", { paths: [wholeZod] }],
      "no-restricted-syntax": ["error", ...literalSpreads, schemaMessages, ownJson],
    },
  },
  {
    files: ["src/**/*.ts"],
    plugins: { regexp },
    rules: {
      // Texts come from outside, and a hook has a deadline: an expression takes linear time.
      "regexp/no-super-linear-backtracking": "error",
      "regexp/no-super-linear-move": ["error", { ignoreSticky: true, report: "certain" }],
    },
  },
  {
    files: ["src/engine/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        {
          paths: [wholeZod, { name: "vscode", message: "The engine is headless." }],
          patterns: ["lit", "lit/*"],
        },
      ],
    },
  },
  {
    files: ["src/engine/base/schema-issues.ts"],
    rules: { "no-restricted-syntax": ["error", ...literalSpreads, ownJson] },
  },
  {
    // The scan reads a text that its cursor has checked.
    files: ["src/engine/base/parse.ts", "src/engine/transcripts/scan/bytes.ts"],
    rules: { "no-restricted-syntax": ["error", ...literalSpreads, schemaMessages] },
  },
  {
    files: ["src/engine/cli/**"],
    rules: {
      "no-restricted-syntax": [
        "error",
        ...literalSpreads,
        schemaMessages,
        ownJson,
        {
          selector: `CallExpression[callee.property.name="write"] CallExpression[callee.object.name="JSON"]`,
          message: "A terminal obeys marks that JSON lets pass: print printedJson of base/text.",
        },
      ],
    },
  },
  {
    files: ["src/webview/**"],
    rules: {
      "no-restricted-imports": [
        "error",
        { paths: [wholeZod, { name: "vscode", message: "A panel runs in a page." }], patterns: ["node:*"] },
      ],
    },
  },
  {
    files: ["{test,scripts}/**/*.ts"],
    rules: { "no-console": "off" },
  },
);
