import type { Argument, Invocation } from "../../commands/invocation.ts";
import { ownValue } from "../../own-value.ts";
import { type Claim, placeOf } from "./claim.ts";
import { isCertain, readOperands, type OptionSpec } from "./operands.ts";

const removing: OptionSpec = {
  flags: "-D -S -E -O -P --save --save-dev --save-prod --save-optional --no-save --silent -s",
  valued: "--prefix -C --dir --cwd",
};
const removers: Readonly<Record<string, readonly string[]>> = {
  npm: ["uninstall", "remove", "rm", "un", "unlink"],
  pnpm: ["remove", "rm", "uninstall", "un"],
  yarn: ["remove"],
  bun: ["remove", "rm"],
};
const cargoCommands = new Set("build b test t run r check c clippy bench doc".split(" "));

/** The name of a package as npm takes it. */
export const packageName = /^(?:@[a-z\d][a-z\d._-]*\/)?[a-z\d][a-z\d._-]*$/u;

/** Returns the packages that a command relies on. */
export function packageClaims({ program, args, folder }: Invocation): Claim[] {
  if (program === "cargo") return cargoClaims(args, folder);
  const words = ownValue(removers, program);
  const at = args.findIndex(({ text }) => words?.includes(text) === true);
  if (words === undefined || at === -1) return [];
  const [before, after] = [
    readOperands(removing, args.slice(0, at)),
    readOperands(removing, args.slice(at + 1)),
  ];
  if (before === null || after === null || before.operands.length > 0) return [];
  const moved = [...before.values.values(), ...after.values.values()].at(-1);
  if (moved !== undefined && !isCertain(moved)) return [];
  const place = moved === undefined ? folder : placeOf(moved.text, folder);
  if (place === null) return [];
  return after.operands
    .filter((arg) => isCertain(arg) && packageName.test(arg.text))
    .map(({ text: name }) => ({ kind: "package", name, ecosystem: "npm", folder: place, importer: null }));
}

function cargoClaims(args: readonly Argument[], folder: string | null): Claim[] {
  const [command] = args;
  if (command === undefined || !cargoCommands.has(command.text) || folder === null) return [];
  const end = args.findIndex(({ text }) => text === "--");
  const own = end === -1 ? args : args.slice(0, end);
  // Another manifest is another project.
  if (own.some(({ text }) => text.startsWith("--manifest-path") || text === "-C")) return [];
  return own.flatMap(({ text }, index): Claim[] => {
    const value =
      text === "-p" || text === "--package"
        ? own[index + 1]
        : text.startsWith("--package=")
          ? { text: text.slice("--package=".length), isPattern: false, from: [] }
          : undefined;
    if (value === undefined || !isCertain(value) || !/^[A-Za-z][\w-]*$/u.test(value.text)) return [];
    return [{ kind: "package", name: value.text, ecosystem: "cargo", folder, importer: null }];
  });
}
