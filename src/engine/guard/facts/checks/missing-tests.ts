import path from "node:path";
import { nearestOf } from "../../../base/text.ts";
import type { Finding } from "../../delivery.ts";
import type { TestClaim } from "../claims/claim.ts";
import { hasWord } from "../claims/module-names.ts";
import { type FactPorts, listed, missing, nearestOrAll, quoted } from "./check.ts";

/** Maximum test files that are read. */
const maxFiles = 200;

/** Checks whether a test of a name is there. */
export async function checkTest(claim: TestClaim, ports: FactPorts): Promise<Finding | null> {
  switch (claim.runner) {
    case "vitest":
    case "jest":
      return await checkTitles(claim, ports);
    case "pytest":
      return await checkPytest(claim, ports);
    case "go":
      return await checkGo(claim, ports);
  }
}

const scriptFile = /\.[cm]?[jt]sx?$/u;
const testPlace = /\.(?:test|spec)\.\w+$|(?:^|\/)__tests__\//u;
const configFile = /^(?:(?:vitest|vite|jest)[\w.-]*\.[cm]?[jt]s(?:on)?|package\.json)$/u;
/** What makes other files than the usual ones tests. */
const otherTests = /include|testMatch|testRegex|workspace|projects/u;
const title =
  /\b(?:it|test|describe|suite)(?:\.\w{1,40}){0,5}\(\s*(?<quote>["'`])(?<name>(?:\\.|(?!\k<quote>)[^\\\n]){1,200})\k<quote>/gu;
/** Titles that are built from values elsewhere. */
const madeTitle =
  /\b(?:it|test|describe|suite)(?:\.\w{1,40}){0,5}\(\s*(?:[A-Za-z_$]|`[^`]*\$\{)|\.(?:each|for)\(\s*[A-Za-z_$]|\b(?:test|it|describe)\s*=|\b(?:test|it)(?:Prop|Case|All)\w*\(/u;

async function checkTitles({ runner, name, folder }: TestClaim, ports: FactPorts): Promise<Finding | null> {
  const project = ports.projectOf(folder);
  const files = await ports.walk(project);
  if (files === null) return null;
  const configs = files.filter((file) => configFile.test(path.posix.basename(file)));
  if (configs.length > maxFiles) return null;
  const settings = await textsOf(configs, project, ports);
  // A manifest has these words for other purposes, but never so.
  if (settings === null || settings.some(({ file, text }) => isOther(file, text))) return null;
  const tests = files.filter((file) => scriptFile.test(file) && testPlace.test(file));
  const read = tests.length === 0 || tests.length > maxFiles ? null : await textsOf(tests, project, ports);
  if (read === null || read.some(({ text }) => madeTitle.test(text))) return null;
  const words = name.match(/[\p{L}\p{N}_]{2,}/gu) ?? [];
  const all = read.map(({ text }) => text.toLowerCase());
  if (!words.some((word) => !all.some((text) => text.includes(word.toLowerCase())))) return null;
  const titles = read.flatMap(({ text }) =>
    Array.from(text.matchAll(title), (match) => match.groups?.["name"] ?? ""),
  );
  const near = nearestOf(name, titles);
  const nearest = near.length > 0 ? near : withSameWords(words, titles);
  return missing("missing-test", {
    about: `${runner} -t ${name} (${folder})`,
    says: `None of the ${read.length} test files has a test ${quoted(name)}.`,
    nearest: nearest.length > 0 ? `The nearest that they have: ${listed(nearest)}.` : "",
  });
}

function isOther(file: string, text: string): boolean {
  if (!file.endsWith("package.json")) return otherTests.test(text);
  return /"(?:testMatch|testRegex|projects)"/u.test(text);
}

async function textsOf(
  files: readonly string[],
  project: string,
  ports: FactPorts,
): Promise<{ readonly file: string; readonly text: string }[] | null> {
  const read = await Promise.all(
    files.map(async (file) => {
      const text = await ports.text(path.join(project, file));
      return text === null ? null : { file, text };
    }),
  );
  const known = read.filter((each) => each !== null);
  return known.length < read.length ? null : known;
}

/** Returns the title that has most of the words, and at least half of them. */
function withSameWords(words: readonly string[], titles: readonly string[]): string[] {
  let best: { readonly name: string; readonly count: number } | null = null;
  for (const name of titles) {
    const lower = name.toLowerCase();
    const count = words.filter((word) => lower.includes(word.toLowerCase())).length;
    if (count * 2 >= words.length && count > (best?.count ?? 0)) best = { name, count };
  }
  return best === null ? [] : [best.name];
}

async function checkPytest({ name, places }: TestClaim, ports: FactPorts): Promise<Finding | null> {
  const [file] = places;
  if (file === undefined || (await ports.look(file)) !== "file") return null;
  const text = await ports.text(file);
  if (
    text === null ||
    /import\s*\*|globals\(|setattr\(|__getattr__|exec\(|parametrize_with|vars\(/u.test(text)
  )
    return null;
  const parts = name.split("::");
  const absent = parts.find((part) => !hasWord(text, part));
  if (absent === undefined) return null;
  // A class may have its tests of another one.
  const [first = ""] = parts;
  const bases = new RegExp(String.raw`^[ \t]*class\s+${first}\s*\((?<bases>[^)]*)\)`, "mu").exec(text)
    ?.groups?.["bases"];
  const isOwn = bases === undefined || /^(?:object|(?:unittest\.)?TestCase)?$/u.test(bases.trim());
  if (parts.length > 1 && absent !== first && !isOwn) return null;
  const defined = Array.from(
    text.matchAll(/^[ \t]*(?:async\s+)?(?:def|class)\s+(?<name>\w+)/gmu),
    (match) => match.groups?.["name"] ?? "",
  );
  const tests = defined.filter((each) => /^test/iu.test(each));
  return testMissing(absent, `${quoted(path.basename(file))} has no test ${quoted(absent)}.`, tests, file);
}

async function checkGo({ name, folder, places }: TestClaim, ports: FactPorts): Promise<Finding | null> {
  const files: string[] = [];
  for (const place of places) {
    const isDeep = /(?:^|\/)\.\.\.$/u.test(place);
    const own = path.resolve(folder, place.replace(/\/?\.\.\.$/u, "") || ".");
    if (place.includes("...") && !isDeep) return null;
    const names = await (isDeep ? ports.walk(own) : ports.list(own));
    if (names === null) return null;
    files.push(...names.filter((each) => each.endsWith("_test.go")).map((each) => path.join(own, each)));
  }
  if (files.length === 0 || files.length > maxFiles) return null;
  const texts = await Promise.all(files.map((file) => ports.text(file)));
  const tests: string[] = [];
  for (const text of texts) {
    // Suites run their methods as tests.
    if (text === null) return null;
    for (const match of text.matchAll(
      /^func\s+(?:\([^)]*\)\s*)?(?<name>(?:Test|Benchmark|Fuzz|Example)\w*)/gmu,
    ))
      tests.push(match.groups?.["name"] ?? "");
  }
  if (tests.length === 0 || tests.some((test) => test.toLowerCase().includes(name.toLowerCase())))
    return null;
  return testMissing(name, `No test of ${listed(places)} has ${quoted(name)} in its name.`, tests, folder);
}

function testMissing(name: string, says: string, tests: readonly string[], place: string): Finding {
  const nearest = nearestOrAll(nearestOf(name, tests), tests);
  return missing("missing-test", { about: `${name} (${place})`, says, nearest });
}
