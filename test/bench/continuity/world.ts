import { seededRandom, type SeededRandom } from "../../engine/support/seeded-random.ts";
import { PastSession } from "../../engine/continuity/past-session.ts";

/**
 * A made-up programmer's agent at work: nothing here is recorded. A project has modules; a task is about a
 * few files of one of them, with its tests and something that many share. The agent searches first and reads
 * files that turn out not to matter, some of which it comes upon far more often than others (Zipf), edits,
 * runs checks that name a file, and fixes the errors. A session ends in the middle of a task, mostly; the
 * next one goes on with it, mostly, and then searches less.
 */
export interface Work {
  readonly before: PastSession;
  /** Files that the next session touches in its first prompts. */
  readonly next: ReadonlySet<string>;
  /** Errors of the next session that came up before: what then mended each, or null where nothing did. */
  readonly errors: readonly { readonly text: string; readonly fix: string | null }[];
  /** Actions that failed for good, by a word that only they have. */
  readonly deadEnds: ReadonlySet<string>;
}

interface Task {
  readonly module: number;
  readonly focus: readonly string[];
}

const [modules, filesEach] = [10, 14];
const shared = ["src/types.ts", "src/config.ts", "package.json", "src/util/text.ts", "README.md"];

export function workOf(seed: number): Work {
  const random = seededRandom(seed);
  const before = new PastSession(`seed-${seed}`);
  const deadEnds = new Set<string>();
  const mended: { text: string; fix: string }[] = [];
  const open: string[] = [];
  let task = newTask(random, null);
  const tasks = 1 + random.below(4);
  for (let index = 0; index < tasks; index += 1) {
    if (index > 0) task = newTask(random, random.next() < 0.5 ? task.module : null);
    const isCut = index === tasks - 1 && random.next() < 0.8;
    workOn(before, task, random, { isCut, isSame: false, mended, open, deadEnds });
  }
  const goesOn = random.next();
  const following = goesOn < 0.7 ? task : newTask(random, goesOn < 0.85 ? task.module : null);
  const next = new Set<string>();
  const after = new PastSession(`after-${seed}`);
  const isSame = following === task;
  workOn(after, following, random, { isCut: true, isSame, mended: [], open: [], deadEnds: new Set() });
  for (const event of after.events) {
    const input = event.kind === "call" ? event.input : null;
    const file: unknown =
      typeof input === "object" && input !== null ? Reflect.get(input, "file_path") : null;
    if (typeof file === "string") next.add(file.replace("/home/ann/shop/", ""));
  }
  // The same error may have come up for several reasons; the last one is what is known.
  const known = new Map(mended.map((each) => [each.text.replace(/\d+$/u, ""), each]));
  for (const text of open) known.delete(text.replace(/\d+$/u, ""));
  const again = random.shuffled([...known.values()]).slice(0, 2);
  const unmended = random.shuffled(open).slice(0, 1);
  const strange = `TypeError: nobody has seen case ${seed}`;
  return {
    before,
    next,
    errors: [...again, ...unmended.map((text) => ({ text, fix: null })), { text: strange, fix: null }],
    deadEnds,
  };
}

function newTask(random: SeededRandom, module: number | null): Task {
  const place = module ?? random.below(modules);
  const own = Array.from({ length: filesEach }, (_, at) => fileOf(place, at));
  const focus = random.shuffled(own).slice(0, 2 + random.below(4));
  const tests = focus.slice(0, 2).map((file) => file.replace("src/", "test/").replace(".ts", ".test.ts"));
  return { module: place, focus: [...focus, ...tests, ...random.shuffled(shared).slice(0, random.below(2))] };
}

function fileOf(module: number, at: number): string {
  return `src/m${module}/part${at}.ts`;
}

interface Course {
  readonly isCut: boolean;
  /** Goes on with what an earlier session began. */
  readonly isSame: boolean;
  readonly mended: { text: string; fix: string }[];
  readonly open: string[];
  readonly deadEnds: Set<string>;
}

function workOn(session: PastSession, { module, focus }: Task, random: SeededRandom, course: Course): void {
  const { isCut, isSame, mended, open, deadEnds } = course;
  session.prompt(`Work on part ${module}: ${focus.length} files.`);
  const any = () => fileOf(random.next() < 0.6 ? module : random.below(modules), zipf(random, filesEach));
  session.run(`grep -rn "part" src/m${module}`, "src: a line");
  const searched = isSame ? 1 + random.below(4) : 3 + random.below(12);
  for (let index = 0; index < searched; index += 1) session.readFile(any());
  for (const file of focus) if (random.next() < 0.8) session.readFile(file);
  const steps = isCut ? 2 + random.below(5) : 4 + random.below(8);
  let failing: Failing | null = null;
  for (let step = 0; step < steps; step += 1) {
    const file = pick(random, focus);
    if (random.next() < 0.4) session.readFile(file);
    session.edit(file, [`old ${step}`, `new ${random.below(1e6)}`]);
    const more = random.next() < 0.25 ? 2 + random.below(4) : 0;
    for (let index = 0; index < more; index += 1) session.readFile(any());
    if (random.next() < 0.4) failing = check(session, focus, random, { before: failing, mended });
    if (random.next() < 0.15) {
      const word = `tool${random.below(1e6)}`;
      for (let times = 0; times < 2 + random.below(2); times += 1)
        session.run(`npx ${word} --apply`, `error: cannot find ${word}`, true);
      if (random.next() < 0.8) deadEnds.add(word);
      else session.run(`npx ${word} --apply`, "done");
    }
    if (random.next() < 0.3) session.prompt("Go on.");
  }
  if (isCut) {
    if (failing !== null) open.push(failing.text);
    return;
  }
  check(session, focus, random, { before: failing, mended, isLast: true });
  session.run(`git commit -qam "Part ${module}"`);
}

interface Failing {
  readonly text: string;
  readonly file: string;
}

/** Runs the tests. What fails goes on failing until its file is edited; returns what still does. */
function check(
  session: PastSession,
  focus: readonly string[],
  random: SeededRandom,
  { before, mended, isLast = false }: { before: Failing | null; mended: Course["mended"]; isLast?: boolean },
): Failing | null {
  if (before === null && (isLast || random.next() < 0.4)) {
    session.run("npm test", "all passed");
    return null;
  }
  const file = before?.file ?? pick(random, focus);
  const name = file.slice(file.lastIndexOf("/") + 1).replace(".ts", "");
  const text = before?.text ?? `TypeError: ${name} is not a function of case ${random.below(400)}`;
  session.run("npm test 2>&1 | tail -20", `${text}\n    at ${file}:${random.below(90)}:3\n1 failed`, true);
  if (!isLast && random.next() < 0.4) return { text, file };
  session.edit(file, ["wrong", `right ${random.below(1e6)}`]).run("npm test", "all passed");
  mended.push({ text, fix: file });
  return null;
}

/** The first of so many twice as often as the second, thrice as often as the third. */
function zipf(random: SeededRandom, count: number): number {
  let left =
    random.next() * Array.from({ length: count }, (_, at) => 1 / (at + 1)).reduce((a, b) => a + b, 0);
  for (let at = 0; at < count - 1; at += 1) {
    left -= 1 / (at + 1);
    if (left < 0) return at;
  }
  return count - 1;
}

function pick<Item>(random: SeededRandom, items: readonly Item[]): Item {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}
