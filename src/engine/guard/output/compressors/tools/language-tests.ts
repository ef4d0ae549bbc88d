import { beginsWith, type Compressor } from "../compressor.ts";
import { kindOf, type Marks } from "../marks.ts";

const pytestTests = kindOf("pytest", "passing test");
const pytestLines = kindOf("pytest", "line of passing tests", "lines of passing tests");

export const pythonTests: Compressor = {
  runs: (words) =>
    beginsWith(words, "pytest", "py.test", "tox", "nox") ||
    (words[0]?.startsWith("python") === true && ["pytest", "unittest"].includes(words[2] ?? "")),
  mark: ({ ends, lines }, marks) => {
    if (
      !/^=+ test session starts =+$|^(?:=+ )?\d+ (?:passed|failed).* in \d|^Ran \d+ tests? in /mu.test(ends)
    )
      return;
    lines.forEach((line, index) => {
      if (/^(?:\[gw\d+\] \[ *\d+%\] PASSED \S|[^\s:]+::\S.* PASSED(?: +\[ *\d+%\])?$)/u.test(line))
        marks.drop(index, pytestTests);
      else if (/^test\w* \([\w.]+\)(?: ?\.\.\.)? ok$/u.test(line)) marks.drop(index, pytestTests);
      else if (/^(?:\S+\.py )?\.+ *(?:\[ *\d+%\])?$/u.test(line)) marks.drop(index, pytestLines);
    });
  },
};

const goTests = kindOf("go-test", "passing test");
const goLines = kindOf("go-test", "line of passing tests", "lines of passing tests");
const goPackages = kindOf("go-test", "passing package");
const goEvents = kindOf("go-test", "event of passing tests", "events of passing tests");

/** go test, also with -v and -json. Keeps logs of tests, and packages with figures such as their coverage. */
export const goTest: Compressor = {
  runs: (words) => beginsWith(words, "go test", "gotestsum"),
  mark: ({ ends, lines }, marks) => {
    if (ends.includes('"Action":"') && ends.includes('"Package":"')) {
      markEvents(lines, marks);
      return;
    }
    if (!/^(?:ok {2}\t|FAIL\t|\? {3}\t|=== RUN {3}|--- (?:PASS|FAIL): )/mu.test(ends)) return;
    for (let from = 0; from < lines.length;) {
      let to = from + 1;
      while (to < lines.length && !/^(?:ok {2}|FAIL)\t/u.test(lines[to - 1] ?? "")) to += 1;
      markPackage(lines, marks, from, to);
      from = to;
    }
    const lastPackage = lines.findLastIndex((line) => line.startsWith("ok  \t"));
    lines.forEach((line, index) => {
      if (plainPackage.test(line) && index !== lastPackage) marks.drop(index, goPackages);
    });
  },
};

/** A package that passed or has no tests, without further figures. */
const plainPackage = /^(?:ok {2}\t\S+\t(?:[\d.]+s|\(cached\))|\? {3}\t\S+\t\[no test files\])$/u;

/** Marks the lines of one package, which ends with its result. Keeps tests without a result. */
function markPackage(lines: readonly string[], marks: Marks, from: number, to: number): void {
  const own = lines.slice(from, to);
  const failed = withParents(namesIn(own, /^ *--- FAIL: (\S+)/u));
  const passed = namesIn(own, /^ *--- PASS: (\S+)/u);
  for (let index = from; index < to; index += 1) {
    const line = lines[index] ?? "";
    const started = /^=== (?:RUN|PAUSE|CONT|NAME) +(\S+)$/u.exec(line)?.[1];
    if (started !== undefined) {
      if (passed.has(started) && !failed.has(started)) marks.drop(index, goLines);
    } else if (/^ *--- PASS: /u.test(line)) marks.drop(index, goTests);
    else if (line === "PASS" && (lines[index + 1] ?? "").startsWith("ok  \t")) marks.drop(index, goLines);
  }
}

const event = /"Action":"(?<action>\w+)","Package":"(?<where>[^"]*)"(?:,"Test":"(?<test>[^"]*)")?/u;

function markEvents(lines: readonly string[], marks: Marks): void {
  const events = lines.map((line) => event.exec(line)?.groups);
  const named = (wanted: string) =>
    new Set(
      events.flatMap((each) =>
        each?.["action"] === wanted && each["test"] !== undefined ? [nameOf(each)] : [],
      ),
    );
  const failed = withParents(named("fail"));
  const passed = named("pass");
  events.forEach((each, index) => {
    if (each === undefined) return;
    const action = each["action"] ?? "";
    const isQuiet = passed.has(nameOf(each)) && !failed.has(nameOf(each));
    const isOwn = /"Output":" *(?:=== (?:RUN|PAUSE|CONT|NAME)|--- PASS:) /u.test(lines[index] ?? "");
    if (action === "start") marks.drop(index, goEvents);
    else if (isQuiet && (isOwn || action !== "output")) marks.drop(index, goEvents);
  });
}

function nameOf(each: Readonly<Record<string, string | undefined>>): string {
  return `${each["where"] ?? ""} ${each["test"] ?? ""}`;
}

function namesIn(lines: readonly string[], pattern: RegExp): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => pattern.exec(line)?.[1] ?? []));
}

/** Returns tests with all their parents. */
function withParents(names: ReadonlySet<string>): ReadonlySet<string> {
  const all = new Set<string>();
  for (const name of names)
    for (let end = name.length; end > 0; end = name.lastIndexOf("/", end - 1)) all.add(name.slice(0, end));
  return all;
}

const cargoTests = kindOf("cargo-test", "passing test");

export const cargoTest: Compressor = {
  runs: (words) => beginsWith(words, "cargo test", "cargo nextest"),
  mark: ({ ends, lines }, marks) => {
    if (!/^test result: |^ +Summary \[|^running \d+ tests?$/mu.test(ends)) return;
    lines.forEach((line, index) => {
      if (/^test .+ \.\.\. ok(?: <[\d.]+s>)?$|^ +PASS \[ *[\d.]+s\] /u.test(line))
        marks.drop(index, cargoTests);
    });
  },
};

const javaTests = kindOf("java-tests", "passing test");
const javaClasses = kindOf("java-tests", "line of passing test classes", "lines of passing test classes");
const javaSteps = kindOf("java-tests", "step of the build", "steps of the build");

/** Maven and Gradle. Leaves out passing classes and tests, downloads, and steps of the build. */
export const javaTest: Compressor = {
  runs: (words) => beginsWith(words, "mvn", "mvnw", "gradle", "gradlew", "./mvnw", "./gradlew"),
  mark: ({ ends, lines }, marks) => {
    if (!/^\[INFO\] |^> Task :|^Tests run: \d|^BUILD (?:SUCCESSFUL|FAILED) in /mu.test(ends)) return;
    lines.forEach((line, index) => {
      if (passedClass.test(line)) marks.drop(index, javaClasses);
      else if (/^(?:\[INFO\] )?Running [\w.$]+$/u.test(line) && passesAfter(lines, index))
        marks.dropQuiet(index, javaClasses);
      else if (/^\S[^>]* > .* PASSED$/u.test(line)) marks.drop(index, javaTests);
      else if (isStep(line)) marks.dropQuiet(index, javaSteps);
    });
  },
};

const passedClass = /^(?:\[INFO\] )?Tests run: \d+, Failures: 0, Errors: 0, Skipped: 0, .* -{1,2} in /u;

/** Whether the next line reports that the class passed. Its output or crash would be in between. */
function passesAfter(lines: readonly string[], index: number): boolean {
  return passedClass.test(lines[index + 1] ?? "");
}

function isStep(line: string): boolean {
  return (
    /^\[INFO\] *(?:-+(?:<|$)|-+\[ |--- |Download|Copying|Using |Nothing to compile|Changes detected|Compiling \d|Surefire report|Recompiling|No sources|Scanning|$)/u.test(
      line,
    ) ||
    /^(?:> Task :\S+(?: (?:UP-TO-DATE|NO-SOURCE|FROM-CACHE))?$|Download(?:ing|ed)? |Progress \()/u.test(line)
  );
}
