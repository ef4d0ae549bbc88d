import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, describe, it } from "node:test";
import tseslint from "typescript-eslint";

const root = path.resolve(import.meta.dirname, "../..");
const config = path.join(root, ".oxlintrc.json");
// A folder that git ignores is not linted, so it cannot be below `out`.
const place = mkdtempSync(path.join(tmpdir(), "purser-typed-rules-"));

/** A violation of each rule, and one of the compiler's own. */
const violations = `
export async function awaitThenable(): Promise<void> { await 1; await Promise.resolve(); }
export function dotNotation(of: { name: string }): string { return of["name"]; }
export function arrayDelete(list: number[]): void { delete list[0]; }
export function baseToString(of: object): string { return String(of); }
export function voidExpression(): void { return console.log(""); }
/** @deprecated Use another. */
export function old(): void { console.log(""); }
old();
export type Duplicate = string | string;
Promise.resolve();
export function forInArray(list: number[]): void { for (const key in list) console.log(key); }
const empty = <T,>(of: T): {} => of ?? {};
export const generated = empty(1);
export interface Named { name: string }
export type Nothing = Pick<Named, never>;
export function implied(): void { setTimeout("a()", 1); }
export function meaningless(): void { void (() => { console.log(""); })(); }
[1].forEach(async () => { await Promise.resolve(); });
export const spread = { ...[1] };
export enum Mixed { A = 1, B = "b" }
export type Redundant = any | string;
export function boolCompare(is: boolean): boolean { return is === true; }
export function condition(text: string): string { return text ?? ""; }
export const template = \`\${"a"}\`;
export function identity<T = string>(of: T): T { return of; }
export const args = new Set<string>(identity<Set<string>>(new Set()));
export type Defaulted<T = string> = T[];
export type Given = Defaulted<string>;
export function assertion(text: string): string { return text as string; }
export function conversion(text: string): string { return String(text); }
export function parameters<T>(of: T): void { console.log(of); }
declare const anything: any;
export const one: string = anything;
export function takes(of: string): string { return of; }
takes(anything);
anything();
console.log(anything.member);
export function returns(): string { return anything; }
export function enumComparison(of: Mixed): boolean { return of === 1; }
export function minus(of: string): number { return -(of as any as string); }
export function useless({ a = "" }: { a: string }): string { return a; }
export function throws(): never { throw "text"; }
export function rejects(): Promise<never> { return Promise.reject("text"); }
export const reduced = [1].reduce((all, each) => ({ ...all, [each]: each }), {} as Record<string, number>);
export class Chain { self(): Chain { return this; } }
export class Pair { get value(): string { return ""; } set value(to: number) { console.log(to); } }
export async function noAwait(): Promise<number> { return 1; }
export const plus = 1 + "a";
export function templates(of: object | null): string { return \`\${of}\`; }
export async function returnAwait(): Promise<number> { try { return Promise.resolve(1); } catch { return await Promise.resolve(2); } }
export class Method { #name = ""; name(): string { return this.#name; } }
export const unbound = new Method().name;
Promise.resolve().catch((error) => { console.log(error); });
export function style(of: string | undefined): string { return of as string; }
export const found = [1, 2].filter((each) => each > 1)[0];
export const included = [1].indexOf(1) >= 0;
export function nullish(of: string | null): string { return of || "a"; }
export function chain(of: { a: { b: string } | null } | null): string | null { return of && of.a && of.a.b; }
export const matched = "a".match(/a/);
export const starts = "abc".indexOf("a") === 0 || "abc"[0] === "a";
export function exhaustive(of: "a" | "b"): void { switch (of) { case "a": console.log(of); } }
export const wrong: number = "a";
`;

describe("the rules that need types", () => {
  const { rules } = readConfig();
  after(() => rmSync(place, { recursive: true, force: true }));

  it("are all of typescript-eslint's strict and stylistic ones, which eslint.config.mjs has only the others of", () => {
    const sets = [...tseslint.configs.strictTypeCheckedOnly, ...tseslint.configs.stylisticTypeCheckedOnly];
    const wanted = sets
      .flatMap((set) => Object.keys(set.rules ?? {}))
      .flatMap((name) => name.split("@typescript-eslint/")[1] ?? []);
    // A class with a #member is recognized by its type alone, and we write no enums.
    const needless = ["no-unsafe-class-instance-assignment", "no-unsafe-enum-assignment"];
    assert.deepEqual(
      wanted.filter((name) => !rules.includes(name) && !needless.includes(name)),
      [],
    );
  });

  it("are each reported, and so are the compiler's errors", () => {
    const reported = lint(violations);
    assert.deepEqual(
      [...rules, "TS2322"].filter((name) => !reported.has(name)),
      [],
    );
  });
});

function readConfig(): { readonly rules: readonly string[] } {
  const read: unknown = JSON.parse(readFileSync(config, "utf8"));
  assert.ok(typeof read === "object" && read !== null && "rules" in read);
  assert.ok(typeof read.rules === "object" && read.rules !== null);
  return { rules: Object.keys(read.rules).map((name) => name.replace("typescript/", "")) };
}

/** Returns the names of the rules, and the compiler's numbers, that are reported of a text. */
function lint(text: string): ReadonlySet<string> {
  const options = {
    extends: path.join(root, "tsconfig.json"),
    compilerOptions: { types: [] },
    include: ["."],
  };
  writeFileSync(path.join(place, "tsconfig.json"), JSON.stringify(options));
  writeFileSync(path.join(place, "violations.ts"), text);
  const program = path.join(root, "node_modules", "oxlint", "bin", "oxlint");
  const args = [
    program,
    "-c",
    config,
    "--type-aware",
    "--type-check",
    "--no-ignore",
    "--format",
    "unix",
    place,
  ];
  try {
    execFileSync(process.execPath, args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (error) {
    assert.ok(error instanceof Error && "stdout" in error && typeof error.stdout === "string");
    const names = error.stdout.matchAll(/\[Error\/typescript\((?<name>[^)]+)\)\]/gu);
    return new Set([...names].map(({ groups }) => groups?.["name"] ?? ""));
  }
  return new Set();
}
